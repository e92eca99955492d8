//! Lists of vertices on the command line: `17,42=2`, and in quotes what contains a comma or an equals sign.
//!
//! ```text
//! list = item , item ...        item = id | id = number
//! id   = any text without , and = | " any text, each quote in it doubled "
//! ```
//! [`split`] cuts a list into items, [`item`] cuts an item into its id and the text of its number.

use warpgraph_graph::VertexId;

/// What to do about an id that the syntax gets in the way of.
const QUOTE: &str = "put an id with , or = in it into double quotes, as in '\"a,b\"=2'";

/// Returns the items of a list: the parts between commas that are not in quotes.
///
/// ```
/// use warpgraph_core::quoted::split;
/// assert_eq!(split(r#"17,"a,b"=2,c"#), ["17", r#""a,b"=2"#, "c"]);
/// ```
pub fn split(list: &str) -> Vec<&str> {
    let (mut items, mut rest) = (Vec::new(), list);
    loop {
        let quoted = close(rest).unwrap_or(0);
        let Some(comma) = rest[quoted..].find(',') else { break };
        items.push(&rest[..quoted + comma]);
        rest = &rest[quoted + comma + 1..];
    }
    items.push(rest);
    items
}

/// Returns the id of an item that has no number.
///
/// # Errors
/// When a quote is not closed, or followed by more text.
pub fn id(item: &str) -> Result<VertexId, String> {
    match unquoted(item)? {
        Some((id, "")) => Ok(id),
        Some((_, rest)) => Err(format!("expected a comma after the closing quote, got {rest:?}")),
        None => Ok(item.into()),
    }
}

/// Returns the id of an item and its number, or `usual` if it has none.
///
/// # Errors
/// When what follows the equals sign is no number, and the errors of [`id`].
pub fn item(item: &str, usual: f64) -> Result<(VertexId, f64), String> {
    let parse = |number: &str| {
        number.parse().map_err(|_| format!("expected a number after =, got {number:?}; {QUOTE}"))
    };
    match (unquoted(item)?, item.rsplit_once('=')) {
        (Some((id, "")), _) => Ok((id, usual)),
        (Some((id, rest)), _) => match rest.strip_prefix('=') {
            Some(number) => Ok((id, parse(number)?)),
            None => Err(format!("expected = or a comma after the closing quote, got {rest:?}")),
        },
        (None, Some((id, number))) => Ok((id.into(), parse(number)?)),
        (None, None) => Ok((item.into(), usual)),
    }
}

/// Returns the id in quotes with which an item begins, and the text after it; `None` if it begins without a quote.
fn unquoted(item: &str) -> Result<Option<(VertexId, &str)>, String> {
    if !item.starts_with('"') {
        return Ok(None);
    }
    let end = close(item).ok_or_else(|| format!("the quote in {item:?} is not closed"))?;
    Ok(Some((item[1..end - 1].replace("\"\"", "\"").as_str().into(), &item[end..])))
}

/// Returns the place after the quote that closes the one with which `text` begins.
fn close(text: &str) -> Option<usize> {
    let bytes = text.strip_prefix('"')?.as_bytes();
    let mut at = 0;
    loop {
        at += bytes[at..].iter().position(|&b| b == b'"')? + 1;
        if bytes.get(at) != Some(&b'"') {
            return Some(at + 1);
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_equals_signs_in_quotes_belong_to_the_id() {
        let list = r#"a,"b,c"=2,"d=e","say ""hi""",,x=y=3"#;
        let items = split(list);
        assert_eq!(items, ["a", r#""b,c"=2"#, r#""d=e""#, r#""say ""hi""""#, "", "x=y=3"]);
        let read: Vec<(String, f64)> =
            items.iter().map(|text| item(text, 1.0).unwrap()).map(|(id, x)| (id.to_string(), x)).collect();
        let expected = [("a", 1.0), ("b,c", 2.0), ("d=e", 1.0), ("say \"hi\"", 1.0), ("", 1.0), ("x=y", 3.0)];
        assert_eq!(read, expected.map(|(id, x)| (id.to_owned(), x)));
        assert_eq!(id(r#""b,c""#).unwrap().to_string(), "b,c");
        assert_eq!(id("b=c").unwrap().to_string(), "b=c", "an id without a number needs no quotes for =");
    }

    #[test]
    fn a_quote_within_an_item_is_a_letter() {
        assert_eq!(split("5\",6\""), ["5\"", "6\""]);
        assert_eq!(id("5\"").unwrap().to_string(), "5\"");
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        assert_eq!(item("a=b", 1.0).unwrap_err(), format!("expected a number after =, got \"b\"; {QUOTE}"));
        assert_eq!(item("\"a", 1.0).unwrap_err(), "the quote in \"\\\"a\" is not closed");
        assert_eq!(
            item("\"a\"b", 1.0).unwrap_err(),
            "expected = or a comma after the closing quote, got \"b\""
        );
        assert_eq!(id("\"a\"=2").unwrap_err(), "expected a comma after the closing quote, got \"=2\"");
        assert_eq!(split("\"a,b"), ["\"a", "b"], "an open quote holds nothing together");
    }
}
