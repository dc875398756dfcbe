//! Where a store is: a folder, or a bucket of an S3-compatible service.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// The address of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// A folder of this machine, or one that machines share.
    Folder(PathBuf),
    /// A part of a bucket.
    Bucket {
        /// Name of the bucket.
        name: String,
        /// What the names of all objects begin with, without slashes at its ends; may be empty.
        prefix: String,
    },
}

const S3: &str = "s3://";

impl FromStr for Address {
    type Err = String;

    /// Reads `s3://BUCKET/PREFIX`, or the path of a folder.
    fn from_str(text: &str) -> Result<Self, String> {
        let Some(place) = text.strip_prefix(S3) else {
            return match text.split_once("://") {
                Some((scheme, _)) => Err(format!(
                    "there is no store with the scheme `{scheme}`; write a folder or `{S3}BUCKET/PREFIX`"
                )),
                None if text.is_empty() => Err("the address is empty".to_owned()),
                None => Ok(Address::Folder(text.into())),
            };
        };
        let (name, prefix) = place.split_once('/').unwrap_or((place, ""));
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
        if name.is_empty() || !name.chars().all(is_plain) {
            return Err(format!("`{name}` is not the name of a bucket; write `{S3}BUCKET/PREFIX`"));
        }
        let prefix = prefix.trim_matches('/');
        let is_normal = |part: &str| !part.is_empty() && part != "." && part != "..";
        if !prefix.is_empty() && !prefix.split('/').all(is_normal) {
            return Err(format!("the prefix `{prefix}` has a part that is empty, `.` or `..`"));
        }
        Ok(Address::Bucket { name: name.to_owned(), prefix: prefix.to_owned() })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Address::Folder(path) => write!(f, "{}", path.display()),
            Address::Bucket { name, prefix } if prefix.is_empty() => write!(f, "{S3}{name}"),
            Address::Bucket { name, prefix } => write!(f, "{S3}{name}/{prefix}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_folders_or_buckets() {
        let bucket = |name: &str, prefix: &str| {
            Ok(Address::Bucket { name: name.to_owned(), prefix: prefix.to_owned() })
        };
        for (text, address, again) in [
            ("nightly.campaign", Ok(Address::Folder("nightly.campaign".into())), "nightly.campaign"),
            ("/srv/s3:/x", Ok(Address::Folder("/srv/s3:/x".into())), "/srv/s3:/x"),
            ("s3://robots", bucket("robots", ""), "s3://robots"),
            ("s3://robots/", bucket("robots", ""), "s3://robots"),
            ("s3://robots/a/b/", bucket("robots", "a/b"), "s3://robots/a/b"),
        ] {
            assert_eq!(text.parse(), address, "{text}");
            assert_eq!(text.parse::<Address>().map(|address| address.to_string()), Ok(again.to_owned()));
        }
    }

    #[test]
    fn what_is_neither_is_refused() {
        for (text, part) in [
            ("", "empty"),
            ("gs://robots", "`gs`"),
            ("s3://", "name of a bucket"),
            ("s3:///a", "name of a bucket"),
            ("s3://ro bots/a", "`ro bots`"),
            ("s3://robots/a//b", "`a//b`"),
            ("s3://robots/../b", "`../b`"),
        ] {
            let error = text.parse::<Address>().expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
