//! Images in the raw form, as clients read them.

/// One image.
pub(super) struct Picture {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) format: u32,
    pub(super) step: u32,
    pub(super) pixels: Vec<u8>,
}

fn number(payload: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(payload[at..at + 4].try_into().expect("four bytes"))
}

/// Reads what stands at a place: the size and the pixels. Returns the place after them.
#[track_caller]
fn body(payload: &[u8], at: usize) -> (Picture, usize) {
    let [width, height, format, step] = [0, 4, 8, 12].map(|offset| number(payload, at + offset));
    let (start, len) = (at + 16, step as usize * height as usize);
    let pixels = payload[start..start + len].to_vec();
    (Picture { width, height, format, step, pixels }, start + len)
}

impl Picture {
    /// Reads one image.
    #[track_caller]
    pub(super) fn read(payload: &[u8]) -> Self {
        assert_eq!(payload[..4], *b"IWAR", "RAWI with the low byte first");
        let (picture, end) = body(payload, 12);
        assert_eq!(end, payload.len());
        picture
    }

    /// Reads an image of classes, and their numbers and names.
    #[track_caller]
    pub(super) fn read_classes(payload: &[u8]) -> (Self, Vec<(u32, String)>) {
        assert_eq!(payload[..4], *b"SWAR", "RAWS with the low byte first");
        let (picture, mut at) = body(payload, 12);
        let count = number(payload, at);
        at += 4;
        let classes = (0..count).map(|_| {
            let class = number(payload, at);
            let len = usize::from(u16::from_le_bytes([payload[at + 4], payload[at + 5]]));
            let name = String::from_utf8(payload[at + 6..at + 6 + len].to_vec()).expect("a name");
            at += 6 + len;
            (class, name)
        });
        let classes = classes.collect();
        assert_eq!(at, payload.len());
        (picture, classes)
    }

    /// Reads several images of one time.
    #[track_caller]
    pub(super) fn read_several(payload: &[u8]) -> Vec<Self> {
        assert_eq!(payload[..4], *b"MWAR", "RAWM with the low byte first");
        let mut at = 16;
        let pictures = (0..number(payload, 12)).map(|_| {
            let (picture, end) = body(payload, at);
            at = end;
            picture
        });
        let pictures = pictures.collect();
        assert_eq!(at, payload.len());
        pictures
    }

    /// False as long as no image was taken: those before it are zeros.
    pub(super) fn is_taken(&self) -> bool {
        self.pixels.iter().any(|value| *value > 0)
    }

    pub(super) fn rgb(&self, column: u32, row: u32) -> [u8; 3] {
        let at = (row * self.step + column * 3) as usize;
        self.pixels[at..at + 3].try_into().expect("three bytes")
    }

    pub(super) fn metres(&self, column: u32, row: u32) -> f64 {
        let at = (row * self.step + column * 4) as usize;
        f32::from_le_bytes(self.pixels[at..at + 4].try_into().expect("four bytes")).into()
    }

    pub(super) fn word(&self, column: u32, row: u32) -> u16 {
        let at = (row * self.step + column * 2) as usize;
        u16::from_le_bytes([self.pixels[at], self.pixels[at + 1]])
    }
}
