graph [
  directed 1
  node [
    id 0
    label "ann"
  ]
  node [
    id 1
    label "bob"
  ]
  node [
    id 2
    label "cy"
  ]
  node [
    id 3
    label "dee"
  ]
  edge [
    source 0
    target 1
    weight 2
    label "knows well"
  ]
  edge [
    source 1
    target 2
    weight 3
    label "it's {odd}"
  ]
]
