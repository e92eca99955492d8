graph [
  name "ways"
  node [
    id 0
    label "1"
  ]
  node [
    id 1
    label "2"
  ]
  node [
    id 2
    label "3"
  ]
  node [
    id 3
    label "5"
  ]
  node [
    id 4
    label "9"
  ]
  edge [
    source 0
    target 1
    weight 4
  ]
  edge [
    source 0
    target 2
    weight 0.5
  ]
  edge [
    source 1
    target 2
    weight 7
  ]
  edge [
    source 3
    target 3
    weight 1
  ]
]
