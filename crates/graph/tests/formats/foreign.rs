//! Files that hold no graph that warpgraph reads: each is called what it is, with the nearest thing that works.

use super::{fails, read};

#[test]
fn files_of_other_kinds_are_named() {
    let utf16 = |text: &str| {
        [b"\xff\xfe".to_vec(), text.encode_utf16().flat_map(u16::to_le_bytes).collect()].concat()
    };
    let plain: Vec<u8> = "1 2\n2 3\n".encode_utf16().flat_map(u16::to_be_bytes).collect();
    let excel = [b"PK\x03\x04\x14\0\x06\0[Content_Types].xml".to_vec(), vec![0; 30]].concat();
    let mut tar = vec![0; 512];
    tar[257..262].copy_from_slice(b"ustar");
    let cases: [(Vec<u8>, &str); 22] = [
        (b">>sparse6<<:Cdv\n".to_vec(), "sparse6, which is not read"),
        (b":Cdv\n".to_vec(), "sparse6, which is not read"),
        (b">>graph6<<Ch\n".to_vec(), "graph6, which is not read"),
        (b"Ch\nDqK\n".to_vec(), "graph6, which is not read"),
        (b"&B@G\n".to_vec(), "digraph6, which is not read"),
        (utf16("1 2\n"), "text in UTF-16, and only UTF-8 is read"),
        (plain, "text in UTF-16, and only UTF-8 is read"),
        (b"\xff\xfe\x00\x001\0\0\0".to_vec(), "text in UTF-32, and only UTF-8 is read"),
        (b"<?xml version='1.0'?>\n<gexf version=\"1.2\">".to_vec(), "GEXF, which is not read"),
        (b"<!DOCTYPE HTML>\n<html>".to_vec(), "a web page (HTML), no graph"),
        (b"<svg/>".to_vec(), "XML other than GraphML, which is not read"),
        (excel, "an Excel workbook or another file of Microsoft Office"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".to_vec(),
            "an Excel workbook or another file of Microsoft Office",
        ),
        (tar, "a tar archive"),
        (b"\x93NUMPY\x01\0".to_vec(), "an array of NumPy, which is not read"),
        (b"\x89HDF\r\n\x1a\n".to_vec(), "an HDF5 file, which is not read"),
        (b"SQLite format 3\0".to_vec(), "an SQLite database"),
        (b"\x80\x04\x95".to_vec(), "a pickle of Python, which is not read"),
        (b"ARROW1\0\0".to_vec(), "an Arrow or Feather file, which is not read"),
        (b"%PDF-1.4\n".to_vec(), "a PDF document"),
        (b"LEDA.GRAPH\nstring\n".to_vec(), "a LEDA graph, which is not read"),
        (b"(1,2)\n(2,3)\n".to_vec(), "a list of pairs in brackets (1,2), which is not read"),
    ];
    for (data, what) in cases {
        let said = fails("a.txt", data);
        assert!(said.starts_with(&format!("a.txt: this is {what}\nhelp: ")), "{said}");
    }
}

#[test]
fn names_that_look_like_marks_are_still_names() {
    for (text, vertices) in [
        ("ORC Zoë\n", 2),
        ("BZh x\n", 2),
        (":a b\n", 2),
        ("ARROW1 x\n", 2),
        ("[a] {b}\n", 2),
        ("graph b\n", 2),
    ] {
        assert_eq!(read("a.txt", text).vertices(), vertices, "{text}");
    }
}

#[test]
fn complex_weights_say_what_to_do() {
    assert_eq!(
        fails("a.mtx", "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 1 2\n"),
        "a.mtx:1:34: complex weights are not supported (got \"complex\")\nhelp: write a real matrix, e.g. the moduli: \
         scipy.io.mmwrite(\"out.mtx\", abs(scipy.io.mmread(\"a.mtx\")))"
    );
}
