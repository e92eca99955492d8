Creator "igraph version 1.0.0 Mon Nov 16 19:56:13 2026"
Version 1
graph
[
  directed 0
  node
  [
    id 0
    name "a"
  ]
  node
  [
    id 1
    name "b"
  ]
  node
  [
    id 2
    name "c"
  ]
  node
  [
    id 3
    name "d"
  ]
  node
  [
    id 4
    name "alone"
  ]
  edge
  [
    source 1
    target 0
    weight 1.5
  ]
  edge
  [
    source 2
    target 1
    weight 2
  ]
  edge
  [
    source 3
    target 2
    weight 0.25
  ]
  edge
  [
    source 3
    target 0
    weight 3
  ]
]
