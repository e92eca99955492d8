//! Reads a bit stream, most significant bit first, and the codes for natural numbers that BV files use.
//!
//! | code | encoding of a number `x` |
//! |---|---|
//! | unary | `x` zeros, then a one |
//! | gamma | the bit length of `x + 1` less one, in unary; then the bits of `x + 1` after the first |
//! | delta | as gamma, with the length in gamma instead of unary |
//! | zeta(k) | `h` in unary: the bit length of `x + 1` less one, over `k`; then `x + 1 - 2^(hk)` in minimal binary |
//! | nibble | groups of 3 bits, most significant first; a bit before each group is 1 for the last group only |
//!
//! A read past the end, or of a number beyond 64 bits, returns a meaningless number and marks the stream as broken, so
//! callers check [`Bits::is_broken`] once for many numbers. Every number takes at least one bit.

/// The number of bits that [`Bits::peek`] returns at every position: a word of 64 bits, less the up to 7 bits of its
/// first byte that lie before the position.
const SHOWN: u32 = 57;

/// A code for natural numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    Unary,
    Gamma,
    Delta,
    Zeta(u32),
    Nibble,
}

/// A bit stream and a position in it.
#[derive(Debug, Clone)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    at: u64,
    overflow: bool,
}

impl<'a> Bits<'a> {
    pub(super) fn new(data: &'a [u8]) -> Self {
        Self { data, at: 0, overflow: false }
    }

    /// Returns the length of the stream in bits.
    pub(super) fn len(&self) -> u64 {
        self.data.len() as u64 * 8
    }

    /// Returns the position of the next bit.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Moves to the position `bit`.
    pub(super) fn seek(&mut self, bit: u64) {
        self.at = bit;
    }

    /// Returns true if a read went past the end or met a number beyond 64 bits.
    #[inline]
    pub(super) fn is_broken(&self) -> bool {
        self.overflow || self.at > self.len()
    }

    #[cold]
    fn fail(&mut self) -> u64 {
        self.overflow = true;
        self.at = self.len();
        0
    }

    /// Returns at least [`SHOWN`] of the next bits, from the top of a word down. Bits after the end are 0.
    #[inline(always)]
    fn peek(&self) -> u64 {
        let byte = (self.at / 8) as usize;
        let rest = self.data.get(byte..).unwrap_or_default();
        let word = rest.first_chunk::<8>().map_or_else(|| last_word(rest), |word| u64::from_be_bytes(*word));
        word << (self.at % 8)
    }

    /// Reads a number in `code`.
    #[inline(always)]
    pub(super) fn read(&mut self, code: Code) -> u64 {
        match code {
            Code::Unary => self.unary(),
            Code::Gamma => self.gamma(),
            Code::Delta => self.delta(),
            Code::Zeta(k) => self.zeta(k),
            Code::Nibble => self.nibble(),
        }
    }

    /// Reads `count` bits as a binary number.
    #[inline]
    fn bits(&mut self, count: u32) -> u64 {
        match count {
            0 => 0,
            1..=SHOWN => {
                let value = self.peek() >> (64 - count);
                self.at += u64::from(count);
                value
            }
            _ => self.bits(count - 32) << 32 | self.bits(32),
        }
    }

    #[inline(always)]
    fn unary(&mut self) -> u64 {
        let zeros = self.peek().leading_zeros();
        if zeros >= SHOWN {
            return self.long_unary();
        }
        self.at += u64::from(zeros) + 1;
        zeros.into()
    }

    #[cold]
    fn long_unary(&mut self) -> u64 {
        let start = self.at;
        loop {
            let zeros = self.peek().leading_zeros();
            if zeros < SHOWN {
                self.at += u64::from(zeros) + 1;
                return self.at - 1 - start;
            }
            self.at += u64::from(SHOWN);
            if self.at >= self.len() {
                return self.fail();
            }
        }
    }

    #[inline(always)]
    fn gamma(&mut self) -> u64 {
        let word = self.peek();
        let length = word.leading_zeros();
        if 2 * length >= SHOWN {
            let length = self.unary();
            return self.after_length(length);
        }
        self.at += 2 * u64::from(length) + 1;
        (word >> (63 - 2 * length)) - 1
    }

    #[inline]
    fn delta(&mut self) -> u64 {
        let length = self.gamma();
        self.after_length(length)
    }

    /// Reads the rest of a gamma or delta code: the number `x` where `x + 1` has `length + 1` bits.
    #[inline]
    fn after_length(&mut self, length: u64) -> u64 {
        if length >= 64 {
            return self.fail();
        }
        (1 << length | self.bits(length as u32)) - 1
    }

    #[inline(always)]
    fn zeta(&mut self, k: u32) -> u64 {
        let word = self.peek();
        let groups = word.leading_zeros();
        let count = groups * k + k - 1;
        if groups + 1 + count + 1 > SHOWN || count == 0 {
            return self.long_zeta(k);
        }
        let word = word << (groups + 1);
        let (left, value) = (1 << (groups * k), word >> (64 - count));
        let is_short = value < left;
        self.at += u64::from(groups + 1 + count) + u64::from(!is_short);
        if is_short { value + left - 1 } else { (word >> (63 - count)) - 1 }
    }

    #[cold]
    fn long_zeta(&mut self, k: u32) -> u64 {
        let count = self.unary().saturating_mul(k.into()).saturating_add(u64::from(k) - 1);
        if count > 63 {
            return self.fail();
        }
        let left = 1 << (count as u32 + 1 - k);
        let value = self.bits(count as u32);
        if value < left { value + left - 1 } else { (value << 1 | self.bits(1)) - 1 }
    }

    fn nibble(&mut self) -> u64 {
        let mut value = 0;
        loop {
            let nibble = self.bits(4);
            if value >> 61 != 0 || self.at > self.len() {
                return self.fail();
            }
            value = value << 3 | nibble & 7;
            if nibble & 8 != 0 {
                return value;
            }
        }
    }
}

/// Returns the last bytes of the stream, fewer than 8, as a word padded with zeros.
#[cold]
fn last_word(rest: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the bits of a text of zeros and ones as bytes.
    fn bytes(text: &str) -> Vec<u8> {
        let bits: Vec<u8> = text.bytes().filter(|b| *b != b' ').map(|b| b - b'0').collect();
        bits.chunks(8)
            .map(|byte| byte.iter().enumerate().fold(0, |all, (i, bit)| all | bit << (7 - i)))
            .collect()
    }

    #[test]
    fn codes_are_those_of_the_papers() {
        let cases: [(Code, &str, &[u64]); 7] = [
            (Code::Unary, "1 01 0001", &[0, 1, 3]),
            (Code::Gamma, "1 010 011 00100 0001111", &[0, 1, 2, 3, 14]),
            (Code::Delta, "1 0100 0101 01100 00100001", &[0, 1, 2, 3, 8]),
            // Boldi and Vigna, "The zeta codes", 2005: the table of zeta(3), whose numbers start with 1.
            (
                Code::Zeta(3),
                "100 1010 1011 1100 1101 1110 1111 0100000 0100111 01010000",
                &[0, 1, 2, 3, 4, 5, 6, 7, 14, 15],
            ),
            (Code::Zeta(1), "1 010 011 00100", &[0, 1, 2, 3]),
            (Code::Zeta(2), "10 110 111 01000 01001 011111", &[0, 1, 2, 3, 4, 14]),
            (Code::Nibble, "1000 1111 00011000 00011001", &[0, 7, 8, 9]),
        ];
        for (code, text, numbers) in cases {
            let data = bytes(text);
            let mut bits = Bits::new(&data);
            for &number in numbers {
                assert_eq!(bits.read(code), number, "{code:?}");
            }
            assert_eq!(bits.position(), text.replace(' ', "").len() as u64, "{code:?}");
            assert!(!bits.is_broken());
        }
    }

    #[test]
    fn numbers_of_64_bits_are_read_and_larger_ones_are_not() {
        let largest = format!("{}1{}", "0".repeat(63), "1".repeat(63));
        let data = bytes(&largest);
        let mut bits = Bits::new(&data);
        assert_eq!((bits.read(Code::Gamma), bits.is_broken()), (u64::MAX - 1, false));
        let data = bytes(&format!("0{largest}1"));
        let mut bits = Bits::new(&data);
        assert_eq!((bits.read(Code::Gamma), bits.is_broken()), (0, true));
    }

    #[test]
    fn reading_past_the_end_is_remembered_by_every_code() {
        for code in [Code::Unary, Code::Gamma, Code::Delta, Code::Zeta(3), Code::Zeta(1), Code::Nibble] {
            for data in [&[][..], &[0], &[0; 40], &[0b0000_0100]] {
                let mut bits = Bits::new(data);
                (0..9).for_each(|_| _ = bits.read(code));
                assert!(bits.is_broken(), "{code:?} {data:?}");
            }
        }
    }
}
