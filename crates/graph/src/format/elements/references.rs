//! Decodes references such as `&#233;`, by which GML and Pajek write what is not ASCII.

use std::borrow::Cow;

/// The length in bytes of the longest reference, `&#x10FFFF;`.
const LONGEST_REFERENCE: usize = 10;

/// Returns a text in which references such as `&#233;` and `&amp;` stand for their characters. Anything else stays.
pub(in crate::format) fn decoded(text: &str) -> Cow<'_, str> {
    let Some(first) = text.find('&') else { return Cow::Borrowed(text) };
    let (mut decoded, mut rest) = (text[..first].to_owned(), &text[first..]);
    while let Some(start) = rest.find('&') {
        decoded.push_str(&rest[..start]);
        rest = &rest[start..];
        let end = rest.bytes().take(LONGEST_REFERENCE).position(|b| b == b';');
        let name = end.and_then(|end| rest.get(1..end)).unwrap_or_default();
        match character(name) {
            Some(c) => {
                decoded.push(c);
                rest = &rest[name.len() + 2..];
            }
            None => {
                decoded.push('&');
                rest = &rest[1..];
            }
        }
    }
    decoded.push_str(rest);
    Cow::Owned(decoded)
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}
