//! Parses the statements of DOT in the order of the file, with a stack of open braces and without recursion.

use super::token::{self, HELP, Token};
use crate::{
    csr::Vertex,
    error::{Error, Result},
    format::{
        ReadOptions,
        edge_list::weights::Weight,
        elements::{Edge, Edges, Nodes, Scan, WeightKeys},
    },
};
use std::borrow::Cow;

/// A parser of one file.
pub(super) struct Parser<'i, 'c> {
    scan: Scan<'i, 'c>,
    /// A token that was read and not used yet, and its offset.
    pending: Option<(usize, Token<'i>)>,
    /// The offset of the token that was used last.
    last: usize,
    directed: bool,
    nodes: Nodes<'i>,
    edges: Edges<'i>,
    weights: WeightKeys,
    /// The open braces, outermost first.
    open: Vec<Braces>,
}

/// The nodes, the edges and the warnings of a file.
pub(super) type Content<'i> = (Nodes<'i>, Edges<'i>, Vec<String>);

/// Braces that are open.
#[derive(Debug, Default)]
struct Braces {
    /// The weight that an `edge [...]` statement gives to the edges that follow, with its rank.
    default: Option<(usize, Weight)>,
    /// The nodes named so far, some of them several times; not kept in the outermost braces.
    nodes: Vec<Vertex>,
    /// The current statement.
    chain: Chain,
}

/// Nodes or groups of nodes that edges join, from left to right.
#[derive(Debug, Default)]
struct Chain {
    at: usize,
    ends: Vec<Vec<Vertex>>,
}

impl<'i, 'c> Parser<'i, 'c> {
    /// Returns a parser of a text behind its first `{`.
    pub(super) fn new(scan: Scan<'i, 'c>, directed: bool, options: &ReadOptions) -> Self {
        let mut edges = Edges::new(scan.place);
        edges.default = Some(directed);
        Self {
            nodes: Nodes::new(scan.place, options.ids),
            weights: WeightKeys::new(options.no_weights),
            pending: None,
            last: 0,
            open: vec![Braces::default()],
            scan,
            directed,
            edges,
        }
    }

    /// Parses the file to its end.
    pub(super) fn parse(mut self) -> Result<Content<'i>> {
        while !self.open.is_empty() {
            self.statement()?;
        }
        match self.next()? {
            Token::End => Ok((self.nodes, self.edges, self.weights.warning().into_iter().collect())),
            _ => Err(self.problem("the file goes on after its graph", "keep one graph in the file")),
        }
    }

    /// Parses the next statement, or its part up to an opening or closing brace.
    fn statement(&mut self) -> Result<()> {
        match self.next()? {
            Token::Mark(b';') => Ok(()),
            Token::Mark(b'}') => self.close(),
            token @ (Token::Mark(b'{') | Token::Id(_, true)) if self.opens(&token)? => Ok(()),
            token @ Token::Id(_, true) if ["graph", "node", "edge"].iter().any(|k| token.is(k)) => {
                self.defaults(token.is("edge"))
            }
            Token::Id(id, _) => {
                let at = self.last;
                match self.next()? {
                    Token::Mark(b'=') => self.value().map(drop),
                    token => {
                        self.put_back(token);
                        let end = self.node(id, at)?;
                        self.join(end, at)
                    }
                }
            }
            token => Err(self.unexpected(&token, "a statement or `}`")),
        }
    }

    /// Opens braces and returns true if `token` starts a subgraph.
    fn opens(&mut self, token: &Token<'i>) -> Result<bool> {
        if token.is("subgraph") {
            let mut next = self.next()?;
            if matches!(next, Token::Id(..)) {
                next = self.next()?;
            }
            if next != Token::Mark(b'{') {
                let help = "write its nodes in braces: `subgraph name { a b }`";
                return Err(self.problem("a subgraph without braces is not read", help));
            }
        } else if *token != Token::Mark(b'{') {
            return Ok(false);
        }
        let default = self.open.last().and_then(|braces| braces.default);
        self.open.push(Braces { default, ..Braces::default() });
        Ok(true)
    }

    /// Closes braces. Their nodes are an end of the statement around them, and nodes of the braces around them.
    fn close(&mut self) -> Result<()> {
        let at = self.last;
        let Some(braces) = self.open.pop() else { return Ok(()) };
        let depth = self.open.len();
        let Some(outer) = self.open.last_mut() else { return Ok(()) };
        let mut group = braces.nodes;
        let is_target = !outer.chain.ends.is_empty();
        let token = self.next()?;
        let is_source = matches!(token, Token::Edge(_));
        self.put_back(token);
        let mut end = if is_target || is_source { group.clone() } else { Vec::new() };
        if let Some(outer) = self.open.last_mut().filter(|_| depth > 1) {
            // The shorter list is appended to the longer one, so that deep braces take no quadratic time.
            if outer.nodes.len() < group.len() {
                std::mem::swap(&mut outer.nodes, &mut group);
            }
            outer.nodes.append(&mut group);
        }
        end.sort_unstable();
        end.dedup();
        self.join(end, at)
    }

    /// Takes a node as an end of the statement, and as a node of the braces, and reads its ports.
    fn node(&mut self, id: Cow<'i, str>, at: usize) -> Result<Vec<Vertex>> {
        let node = self.nodes.mention(id, at)?;
        let is_inner = self.open.len() > 1;
        if let Some(braces) = self.open.last_mut().filter(|_| is_inner) {
            braces.nodes.push(node);
        }
        self.port()?;
        Ok(vec![node])
    }

    /// Appends an end to the statement, and goes on to the next end or to the end of the statement.
    fn join(&mut self, mut end: Vec<Vertex>, at: usize) -> Result<()> {
        loop {
            let Some(braces) = self.open.last_mut() else { return Ok(()) };
            if braces.chain.ends.is_empty() {
                braces.chain.at = at;
            }
            braces.chain.ends.push(end);
            match self.next()? {
                Token::Edge(directed) if directed == self.directed => {}
                Token::Edge(_) => return Err(self.wrong_sign()),
                token => {
                    self.put_back(token);
                    return self.finish();
                }
            }
            match self.next()? {
                token if self.opens(&token)? => return Ok(()),
                Token::Id(id, _) => end = self.node(id, self.last)?,
                token => return Err(self.unexpected(&token, "a node behind the edge")),
            }
        }
    }

    /// Reads the attributes at the end of a statement and makes its edges.
    fn finish(&mut self) -> Result<()> {
        let Some(braces) = self.open.last_mut() else { return Ok(()) };
        let (chain, default) = (std::mem::take(&mut braces.chain), braces.default);
        let is_edge = chain.ends.len() > 1;
        self.attributes(is_edge)?;
        if !is_edge {
            return Ok(());
        }
        let weight = self.weights.end_or(default);
        for pair in chain.ends.windows(2) {
            let edges = pair[0].len().saturating_mul(pair[1].len()).saturating_add(self.edges.len());
            if edges > self.scan.text.len() {
                let help = "write these edges one by one";
                let problem = "the edges between groups of nodes outnumber the bytes of the file";
                return Err(self.scan.place.error(chain.at, problem, help));
            }
            for &source in &pair[0] {
                for &target in &pair[1] {
                    let pair = [source, target];
                    self.edges.push(Edge { at: chain.at, pair, directed: None, weight })?;
                }
            }
        }
        Ok(())
    }

    /// Reads the attributes behind `graph`, `node` or `edge`.
    fn defaults(&mut self, of_edges: bool) -> Result<()> {
        let token = self.next()?;
        if token != Token::Mark(b'[') {
            return Err(self.unexpected(&token, "`[`"));
        }
        self.put_back(token);
        self.attributes(of_edges)?;
        if let Some(weight) = self.weights.take()
            && let Some(braces) = self.open.last_mut()
        {
            braces.default = Some(weight);
        }
        Ok(())
    }

    /// Reads lists of attributes in `[...]`, and the weight among them if `of_edges` is true.
    fn attributes(&mut self, of_edges: bool) -> Result<()> {
        loop {
            match self.next()? {
                Token::Mark(b'[') => self.attribute_list(of_edges)?,
                token => {
                    self.put_back(token);
                    return Ok(());
                }
            }
        }
    }

    fn attribute_list(&mut self, of_edges: bool) -> Result<()> {
        loop {
            match self.next()? {
                Token::Mark(b']') => return Ok(()),
                Token::Mark(b',' | b';') => {}
                Token::Id(key, _) => match self.next()? {
                    Token::Mark(b'=') => {
                        let value = self.value()?;
                        if let Some(rank) = self.weights.rank(&key).filter(|_| of_edges) {
                            let text = if let Token::Id(text, _) = &value { &text[..] } else { "<...>" };
                            self.weights.put(rank, text, self.last, &self.scan.place)?;
                        }
                    }
                    // A key without a value stands for `key=true`.
                    token => self.put_back(token),
                },
                token => return Err(self.unexpected(&token, "an attribute or `]`")),
            }
        }
    }

    /// Reads the value behind `=`.
    fn value(&mut self) -> Result<Token<'i>> {
        match self.next()? {
            token @ (Token::Id(..) | Token::Html) => Ok(token),
            token => Err(self.unexpected(&token, "a value")),
        }
    }

    /// Reads the ports behind a node: `:name`, `:name:side`.
    fn port(&mut self) -> Result<()> {
        loop {
            match self.next()? {
                Token::Mark(b':') => drop(self.value()?),
                token => {
                    self.put_back(token);
                    return Ok(());
                }
            }
        }
    }

    fn next(&mut self) -> Result<Token<'i>> {
        let (at, token) = self.pending.take().map_or_else(|| token::token(&mut self.scan), Ok)?;
        self.last = at;
        Ok(token)
    }

    /// Keeps the token that was read last for the next call of `next`.
    fn put_back(&mut self, token: Token<'i>) {
        self.pending = Some((self.last, token));
    }

    fn wrong_sign(&self) -> Error {
        let (got, kind, sign) = if self.directed { ("--", "digraph", "->") } else { ("->", "graph", "--") };
        let help = format!("change the sign, or the word `{kind}` at the top");
        self.problem(&format!("`{got}` in a `{kind}`, which joins nodes by `{sign}`"), &help)
    }

    #[cold]
    fn unexpected(&self, token: &Token<'i>, expected: &str) -> Error {
        match token {
            Token::Html => {
                let help = "give the node a name without `<` and `>`, and the text as its label";
                self.problem("a node whose name is an HTML string is not read", help)
            }
            Token::End => self.scan.expected(expected, HELP),
            Token::Id(id, _) => self.scan.place.expected(self.last, expected, id, HELP),
            Token::Mark(mark) => {
                let mark = char::from(*mark).to_string();
                self.scan.place.expected(self.last, expected, &mark, HELP)
            }
            Token::Edge(directed) => {
                let sign = if *directed { "->" } else { "--" };
                self.scan.place.expected(self.last, expected, sign, HELP)
            }
        }
    }

    fn problem(&self, problem: &str, help: &str) -> Error {
        self.scan.place.error(self.last, problem, help)
    }
}
