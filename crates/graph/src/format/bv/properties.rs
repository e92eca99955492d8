//! Parses the `.properties` file of a BV graph: the counts of nodes and arcs, and the codes of the lists.

use super::bits::Code;
use crate::{
    error::{Error, Position, Result, quote},
    format::Input,
};

const ANEW: &str = "the .properties file is damaged or not a BV graph's; fetch both files anew";

/// The properties that the reader needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Properties {
    /// The name of the `.properties` file.
    pub(super) name: String,
    pub(super) nodes: u64,
    pub(super) arcs: u64,
    /// The largest distance of a reference; 0 if no list refers to another.
    pub(super) window: u64,
    /// The length of the shortest interval; 0 if no list has intervals.
    pub(super) shortest_interval: u64,
    pub(super) codes: Codes,
}

/// The code of each part of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Codes {
    pub(super) degrees: Code,
    pub(super) references: Code,
    pub(super) block_counts: Code,
    pub(super) blocks: Code,
    pub(super) residuals: Code,
    pub(super) offsets: Code,
}

impl Properties {
    /// Parses a `.properties` file. Fails if a required line is missing or the graph is stored in an unsupported way.
    pub(super) fn parse(input: &Input) -> Result<Self> {
        let file = Lines::new(input);
        file.refuse_other_kinds()?;
        let zeta = file.number("zetak")?.unwrap_or(3);
        if !(1..=32).contains(&zeta) {
            return Err(file.expected("zetak", "a number from 1 to 32"));
        }
        Ok(Self {
            name: input.name().to_owned(),
            nodes: file.required("nodes")?,
            arcs: file.required("arcs")?,
            window: file.required("windowsize")?,
            shortest_interval: file.required("minintervallength")?,
            codes: file.codes(zeta as u32)?,
        })
    }
}

/// Returns true if the file has a `graphclass` line, or lines for both `nodes` and `arcs`.
pub(super) fn is_webgraph(input: &Input) -> bool {
    let file = Lines::new(input);
    file.find("graphclass").is_some() || (file.find("nodes").is_some() && file.find("arcs").is_some())
}

/// The `key=value` lines of a file.
struct Lines<'a> {
    name: &'a str,
    lines: Vec<Line<'a>>,
}

struct Line<'a> {
    number: u64,
    key: &'a [u8],
    value: &'a [u8],
}

impl<'a> Lines<'a> {
    fn new(input: &'a Input) -> Self {
        let lines = input.split(|&b| b == b'\n').enumerate().filter_map(|(i, line)| {
            let line = line.trim_ascii();
            let cut = line.iter().position(|b| matches!(b, b'=' | b':'))?;
            let (key, value) = (line[..cut].trim_ascii_end(), line[cut + 1..].trim_ascii_start());
            (!line.starts_with(b"#") && !line.starts_with(b"!")).then_some(Line {
                number: i as u64 + 1,
                key,
                value,
            })
        });
        Self { name: input.name(), lines: lines.collect() }
    }

    /// Returns the last line with this key, which is the one that Java uses.
    fn find(&self, key: &str) -> Option<&Line<'a>> {
        self.lines.iter().rev().find(|line| line.key == key.as_bytes())
    }

    /// Returns the value of a key, or an empty slice if no line has the key.
    fn value(&self, key: &str) -> &'a [u8] {
        self.find(key).map_or(&[], |line| line.value)
    }

    fn number(&self, key: &str) -> Result<Option<u64>> {
        let Some(line) = self.find(key) else { return Ok(None) };
        let number = std::str::from_utf8(line.value).ok().and_then(|text| text.parse().ok());
        number.map(Some).ok_or_else(|| self.expected(key, "a whole number"))
    }

    fn required(&self, key: &str) -> Result<u64> {
        let missing = || Error::format(Position::file(self.name), format!("no line {key}=..."), ANEW);
        self.number(key)?.ok_or_else(missing)
    }

    fn expected(&self, key: &str, expected: &str) -> Error {
        let (line, value) = self.find(key).map_or((0, &[][..]), |line| (line.number, line.value));
        Error::Parse {
            at: Position::line(self.name, line),
            expected: format!("{key} to be {expected}"),
            got: quote(value),
            help: ANEW.to_owned(),
        }
    }

    /// Fails unless the graph is stored as BV version 0 with the most significant bit first.
    fn refuse_other_kinds(&self) -> Result<()> {
        let refuse = |key, problem: String, help| {
            let at =
                self.find(key).map_or(Position::file(self.name), |l| Position::line(self.name, l.number));
            Err(Error::format(at, problem, help))
        };
        let class = self.value("graphclass");
        if !class.is_empty() && !class.ends_with(b"BVGraph") {
            let help = "store it as a BVGraph, or convert it to an edge list, with the WebGraph tools";
            return refuse(
                "graphclass",
                format!("the graph is stored by {}, only BVGraph is read", quote(class)),
                help,
            );
        }
        let order = self.value("endianness");
        if !order.is_empty() && !order.eq_ignore_ascii_case(b"big") {
            let help = "store it again in big-endian order, which is what WebGraph for Java reads too";
            return refuse(
                "endianness",
                format!("the bits are in {} order, only \"big\" is read", quote(order)),
                help,
            );
        }
        match self.number("version")? {
            None | Some(0) => Ok(()),
            Some(version) => {
                refuse("version", format!("version {version} of the BV format, version 0 is read"), ANEW)
            }
        }
    }

    /// Returns the codes that `compressionflags` names, such as `RESIDUALS_DELTA | OUTDEGREES_GAMMA`, and WebGraph's
    /// defaults for the other parts.
    fn codes(&self, zeta: u32) -> Result<Codes> {
        let mut codes = Codes {
            degrees: Code::Gamma,
            references: Code::Unary,
            block_counts: Code::Gamma,
            blocks: Code::Gamma,
            residuals: Code::Zeta(zeta),
            offsets: Code::Gamma,
        };
        let flags = self.value("compressionflags").split(|b| matches!(b, b'|' | b',' | b' '));
        for flag in flags.filter(|flag| !flag.is_empty()) {
            self.apply(&mut codes, flag, zeta)?;
        }
        Ok(codes)
    }

    fn apply(&self, codes: &mut Codes, flag: &[u8], zeta: u32) -> Result<()> {
        let unknown = || {
            let what = "names like OUTDEGREES_DELTA: OUTDEGREES, REFERENCES, BLOCK_COUNT, BLOCKS, RESIDUALS or OFFSETS, \
                 coded in UNARY, GAMMA, DELTA, ZETA or NIBBLE";
            self.expected("compressionflags", what)
        };
        let flag = std::str::from_utf8(flag).map_err(|_| unknown())?;
        let (part, code) = flag.rsplit_once('_').ok_or_else(unknown)?;
        let part = match part {
            "OUTDEGREES" => &mut codes.degrees,
            "REFERENCES" => &mut codes.references,
            "BLOCK_COUNT" => &mut codes.block_counts,
            "BLOCKS" => &mut codes.blocks,
            "RESIDUALS" => &mut codes.residuals,
            "OFFSETS" => &mut codes.offsets,
            _ => return Err(unknown()),
        };
        *part = match code {
            "UNARY" => Code::Unary,
            "GAMMA" => Code::Gamma,
            "DELTA" => Code::Delta,
            "ZETA" => Code::Zeta(zeta),
            "NIBBLE" => Code::Nibble,
            _ => return Err(unknown()),
        };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Properties> {
        Properties::parse(&Input::from_bytes("x.properties", text.as_bytes().to_vec()))
    }

    const LEAST: &str = "nodes=3\narcs=2\nwindowsize=7\nminintervallength=4\n";

    #[test]
    fn what_is_not_said_is_as_webgraph_defaults_it() {
        let codes = Codes {
            degrees: Code::Gamma,
            references: Code::Unary,
            block_counts: Code::Gamma,
            blocks: Code::Gamma,
            residuals: Code::Zeta(3),
            offsets: Code::Gamma,
        };
        let name = "x.properties".to_owned();
        let expected = Properties { name, nodes: 3, arcs: 2, window: 7, shortest_interval: 4, codes };
        assert_eq!(parse(LEAST).unwrap(), expected);
    }

    #[test]
    fn flags_name_the_codes() {
        let text = format!(
            "#BVGraph\n! x=1\r\n{LEAST}\n zetak : 2\r\ncompressionflags=OUTDEGREES_DELTA | RESIDUALS_NIBBLE|BLOCK_COUNT_UNARY\n"
        );
        let codes = parse(&text).unwrap().codes;
        assert_eq!((codes.degrees, codes.residuals), (Code::Delta, Code::Nibble));
        assert_eq!((codes.block_counts, codes.blocks), (Code::Unary, Code::Gamma));
        let zeta = parse(&format!("{LEAST}zetak=5\ncompressionflags=BLOCKS_ZETA")).unwrap().codes;
        assert_eq!((zeta.blocks, zeta.residuals), (Code::Zeta(5), Code::Zeta(5)));
    }

    #[test]
    fn what_cannot_be_read_is_named_with_its_line() {
        let said = |text: &str| parse(&format!("{LEAST}{text}")).unwrap_err().to_string();
        assert_eq!(parse("arcs=2").unwrap_err().to_string(), "x.properties: no line nodes=...");
        assert_eq!(said("arcs=-1"), "x.properties:5: expected arcs to be a whole number, got \"-1\"");
        assert_eq!(said("zetak=0"), "x.properties:5: expected zetak to be a number from 1 to 32, got \"0\"");
        assert_eq!(said("version=1"), "x.properties:5: version 1 of the BV format, version 0 is read");
        assert_eq!(
            said("endianness=little"),
            "x.properties:5: the bits are in \"little\" order, only \"big\" is read"
        );
        assert_eq!(
            said("graphclass=it.unimi.dsi.webgraph.EFGraph"),
            "x.properties:5: the graph is stored by \"it.unimi.dsi.webgraph.EFGraph\", only BVGraph is read"
        );
        assert!(
            said("compressionflags=RESIDUALS_GOLOMB").ends_with("ZETA or NIBBLE, got \"RESIDUALS_GOLOMB\"")
        );
    }
}
