//! The secret that processes of a run may share, and HMAC-SHA256 (RFC 2104), by which they prove that they know it.

use sha2::{Digest, Sha256};
use std::path::Path;
use warpgraph_graph as graph;

const BLOCK: usize = 64;
/// A file longer than this is not a secret.
const LONGEST: u64 = 4_096;
/// A secret shorter than this could be guessed from one recorded handshake.
const SHORTEST: usize = 16;

/// The secret that the processes of a run share. Empty if the user named none.
#[derive(Clone, Default)]
pub struct Secret(Vec<u8>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0.is_empty() { "Secret(none)" } else { "Secret(..)" })
    }
}

impl Secret {
    /// Returns a secret of these bytes.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self(bytes.into())
    }

    /// Reads a secret from a file; line ends at its end do not count.
    ///
    /// # Errors
    ///
    /// [`graph::Error::Io`] if the file cannot be read, [`graph::Error::Invalid`] if it has fewer than 16 or more than
    /// 4,096 bytes.
    pub fn read(path: &Path) -> graph::Result<Self> {
        let size = std::fs::metadata(path).map_err(|error| graph::Error::io(path, "read", error))?.len();
        if size > LONGEST {
            return Err(unfit(path, &format!("it has {size} bytes, more than {LONGEST}")));
        }
        let bytes = std::fs::read(path).map_err(|error| graph::Error::io(path, "read", error))?;
        let end = bytes.iter().rposition(|byte| !b"\r\n".contains(byte)).map_or(0, |last| last + 1);
        if end < SHORTEST {
            return Err(unfit(path, &format!("it has {end} bytes, fewer than {SHORTEST}")));
        }
        Ok(Self(bytes[..end].to_vec()))
    }

    /// True if the user named no secret.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the authentication code of a message. Only a process that knows the secret can make it.
    pub(crate) fn vouch(&self, message: &[&[u8]]) -> [u8; 32] {
        let mut key = [0; BLOCK];
        if self.0.len() > BLOCK {
            key[..32].copy_from_slice(&digest(&[&self.0]));
        } else {
            key[..self.0.len()].copy_from_slice(&self.0);
        }
        let (inner, outer) = (key.map(|byte| byte ^ 0x36), key.map(|byte| byte ^ 0x5c));
        let mut pieces = vec![&inner[..]];
        pieces.extend_from_slice(message);
        digest(&[&outer, &digest(&pieces)])
    }
}

fn unfit(path: &Path, what: &str) -> graph::Error {
    let what = format!("{}: this cannot be a secret: {what}", path.display());
    graph::Error::invalid(what, "make one with: head -c 32 /dev/urandom | base64")
}

/// Returns the SHA-256 of pieces that follow one another.
pub(crate) fn digest(pieces: &[&[u8]]) -> [u8; 32] {
    let mut hasher = Sha256::new();
    pieces.iter().for_each(|piece| hasher.update(piece));
    hasher.finalize().into()
}

/// Returns 64 bits of the digest of a text, by which processes compare what they have.
#[must_use]
pub fn fingerprint(text: &str) -> u64 {
    let digest = digest(&[text.as_bytes()]);
    digest.first_chunk().copied().map_or(0, u64::from_le_bytes)
}

/// True if both are equal. Takes the same time wherever they differ.
pub(crate) fn same(a: &[u8; 32], b: &[u8; 32]) -> bool {
    a.iter().zip(b).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(bytes: &[u8]) -> String {
        bytes.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Cases 1, 2 and 6 of RFC 4231.
    #[test]
    fn codes_are_those_of_hmac_sha256() {
        let cases: [(Vec<u8>, &[u8], &str); 3] = [
            (vec![0x0b; 20], b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
            (
                b"Jefe".to_vec(),
                b"what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
            ),
            (
                vec![0xaa; 131],
                b"Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
            ),
        ];
        for (key, message, code) in cases {
            let (start, end) = message.split_at(3);
            assert_eq!(hex(&Secret::new(key).vouch(&[start, end])), code);
        }
    }

    #[test]
    fn codes_are_equal_only_if_every_byte_is() {
        let code = Secret::new(*b"0123456789abcdef").vouch(&[b"x"]);
        assert!(same(&code, &code.clone()));
        for place in 0..32 {
            let mut other = code;
            other[place] ^= 1;
            assert!(!same(&code, &other));
        }
    }

    #[test]
    fn a_file_is_a_secret_without_its_line_end_if_it_is_long_enough() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        std::fs::write(&path, b"0123456789abcdef\r\n\n").unwrap();
        assert_eq!(Secret::read(&path).unwrap().0, b"0123456789abcdef");
        for (bytes, word) in [(vec![b'x'; 15], "fewer than 16"), (vec![b'x'; 5_000], "more than 4096")] {
            std::fs::write(&path, bytes).unwrap();
            let error = Secret::read(&path).unwrap_err();
            assert!(error.to_string().contains(word), "{error}");
        }
        assert!(Secret::read(&folder.path().join("none")).is_err());
    }
}
