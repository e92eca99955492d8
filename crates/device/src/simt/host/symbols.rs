//! Reads the bytes of static shared memory per kernel from the symbols of its library. The runtime knows only the
//! section that all kernels of a module share, but the limit applies to each kernel.
//!
//! A SHARED variable `v` of a kernel `k` is a static of the function `wg_body_k`, so its symbol is
//! `_ZZL<length>wg_body_k...E1v`.

/// The section of SHARED variables.
const SECTION: &[u8] = b"wg_shared";

/// Returns the name of the kernel and the bytes of each SHARED variable. Empty if there are no variables or no symbols.
pub(super) fn shared_bytes(library: &[u8]) -> Vec<(String, usize)> {
    read(library).unwrap_or_default()
}

fn read(elf: &[u8]) -> Option<Vec<(String, usize)>> {
    let sections = sections(elf)?;
    let names = sections.get(number::<2>(elf, 62)? as usize)?;
    let shared = sections.iter().position(|section| text(elf, names, section.name) == Some(SECTION))?;
    let symbols = sections.iter().find(|section| section.kind == 2)?;
    let strings = sections.get(symbols.link)?;
    let mut found = Vec::new();
    for at in (symbols.offset..symbols.offset.checked_add(symbols.size)?).step_by(24) {
        if number::<2>(elf, at + 6)? as usize != shared {
            continue;
        }
        let name = text(elf, strings, number::<4>(elf, at)? as usize)?;
        if let Some(kernel) = kernel_of(name) {
            found.push((kernel, number::<8>(elf, at + 16)? as usize));
        }
    }
    Some(found)
}

struct Section {
    name: usize,
    kind: u64,
    offset: usize,
    size: usize,
    link: usize,
}

fn sections(elf: &[u8]) -> Option<Vec<Section>> {
    let (table, entry) = (number::<8>(elf, 40)? as usize, number::<2>(elf, 58)? as usize);
    (0..number::<2>(elf, 60)? as usize)
        .map(|i| {
            let at = table.checked_add(i * entry)?;
            Some(Section {
                name: number::<4>(elf, at)? as usize,
                kind: number::<4>(elf, at + 4)?,
                offset: number::<8>(elf, at + 24)? as usize,
                size: number::<8>(elf, at + 32)? as usize,
                link: number::<4>(elf, at + 40)? as usize,
            })
        })
        .collect()
}

/// Reads a little-endian number of `N` bytes.
fn number<const N: usize>(elf: &[u8], at: usize) -> Option<u64> {
    let bytes = elf.get(at..at.checked_add(N)?)?;
    Some(bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte)))
}

fn text<'a>(elf: &'a [u8], strings: &Section, at: usize) -> Option<&'a [u8]> {
    let from = elf.get(strings.offset.checked_add(at)?..)?;
    from.split(|&byte| byte == 0).next()
}

/// Returns the kernel that a mangled static belongs to.
fn kernel_of(symbol: &[u8]) -> Option<String> {
    const BODY: &str = "wg_body_";
    let symbol = std::str::from_utf8(symbol).ok()?.strip_prefix("_ZZL")?;
    let digits = symbol.len() - symbol.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = symbol[..digits].parse().ok()?;
    symbol[digits..].get(..length)?.strip_prefix(BODY).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_belongs_to_the_kernel_it_is_declared_in() {
        assert_eq!(kernel_of(b"_ZZL11wg_body_fooRK1AE1s"), Some("foo".to_owned()));
        assert_eq!(kernel_of(b"_ZZL12wg_body_foo2RK1AE1s"), Some("foo2".to_owned()));
        assert_eq!(kernel_of(b"_ZL6helperv"), None);
    }

    #[test]
    fn bytes_that_are_no_library_have_no_variables() {
        assert_eq!(shared_bytes(b""), []);
        assert_eq!(shared_bytes(&[0xff; 4096]), []);
    }
}
