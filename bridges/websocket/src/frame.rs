//! A message to send: shared bytes.

use bytes::{Bytes, BytesMut};
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};

/// A message to send. A clone shares the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame(Content);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Text(Utf8Bytes),
    Binary(Bytes),
    /// Joined when it is sent, so that the body is shared by clients with different heads.
    Headed {
        head: Bytes,
        body: Bytes,
    },
}

impl Frame {
    /// Makes a text message.
    #[must_use]
    pub fn text(text: String) -> Self {
        Frame(Content::Text(text.into()))
    }

    /// Makes a text message of bytes; a binary one if they are not UTF-8.
    #[must_use]
    pub fn text_of(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Frame::text(text),
            Err(error) => Frame::binary(error.into_bytes()),
        }
    }

    /// Makes a binary message.
    #[must_use]
    pub fn binary(bytes: impl Into<Bytes>) -> Self {
        Frame(Content::Binary(bytes.into()))
    }

    /// Makes a binary message of two parts, for a short head of each client before a body that clients share.
    #[must_use]
    pub fn headed(head: impl Into<Bytes>, body: impl Into<Bytes>) -> Self {
        Frame(Content::Headed { head: head.into(), body: body.into() })
    }

    /// Returns its size in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        match &self.0 {
            Content::Text(text) => text.len(),
            Content::Binary(bytes) => bytes.len(),
            Content::Headed { head, body } => head.len() + body.len(),
        }
    }

    /// Returns its bytes; a frame of two parts is joined.
    #[must_use]
    pub fn to_bytes(&self) -> Bytes {
        match &self.0 {
            Content::Text(text) => Bytes::from(text.clone()),
            Content::Binary(bytes) => bytes.clone(),
            Content::Headed { head, body } => join(head, body),
        }
    }

    /// Returns it as a message of the library.
    pub(crate) fn into_message(self) -> Message {
        match self.0 {
            Content::Text(text) => Message::Text(text),
            Content::Binary(bytes) => Message::Binary(bytes),
            Content::Headed { head, body } => Message::Binary(join(&head, &body)),
        }
    }
}

fn join(head: &Bytes, body: &Bytes) -> Bytes {
    let mut joined = BytesMut::with_capacity(head.len() + body.len());
    joined.extend_from_slice(head);
    joined.extend_from_slice(body);
    joined.freeze()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_become_messages_of_their_kind() {
        let text = Frame::text("a".to_owned());
        assert_eq!((text.size(), text.into_message()), (1, Message::text("a")));
        assert_eq!(Frame::text_of(b"a".to_vec()).into_message(), Message::text("a"));
        assert_eq!(Frame::text_of(vec![0xff]).into_message(), Message::binary(vec![0xff]));
        let headed = Frame::headed(vec![1], vec![2, 3]);
        assert_eq!((headed.size(), headed.into_message()), (3, Message::binary(vec![1, 2, 3])));
    }
}
