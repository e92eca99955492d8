Creator "igraph version 1.0.0 Mon Nov 16 19:56:13 2026"
Version 1
graph
[
  directed 1
  node
  [
    id 0
  ]
  node
  [
    id 1
  ]
  node
  [
    id 2
  ]
  node
  [
    id 3
  ]
  edge
  [
    source 0
    target 1
  ]
  edge
  [
    source 1
    target 2
  ]
  edge
  [
    source 3
    target 1
  ]
]
