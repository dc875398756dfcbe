//! Checks that bytes are a complete shared object for this machine, and finds its sections.
//!
//! The check runs before the dynamic linker opens the file, because mapping a truncated file ends the process with
//! SIGBUS. Nothing of the file is run or mapped here. Usable from any thread.

use object::LittleEndian;
use object::elf::{self, FileHeader64, FileType, Machine};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader, SectionTable};

use super::code::Code;
use super::refusal::Refusal;

type Header = FileHeader64<LittleEndian>;

/// The architecture of this host.
#[cfg(target_arch = "x86_64")]
const OWN_MACHINE: Machine = elf::EM_X86_64;
/// The architecture of this host.
#[cfg(target_arch = "aarch64")]
const OWN_MACHINE: Machine = elf::EM_AARCH64;

/// A file that passed the check.
#[derive(Debug)]
pub(super) struct SharedObject<'a> {
    bytes: &'a [u8],
    sections: SectionTable<'a, Header>,
}

impl<'a> SharedObject<'a> {
    /// Checks `bytes`: identity, machine, kind, and that all segments and sections are within the file.
    pub(super) fn parse(bytes: &'a [u8]) -> Result<Self, Refusal> {
        check_identity(bytes)?;
        let header = Header::parse(bytes).map_err(|error| cut_off(bytes, &error.to_string()))?;
        check_target(header)?;
        check_segments(header, bytes)?;
        let sections =
            header.sections(LittleEndian, bytes).map_err(|error| cut_off(bytes, &error.to_string()))?;
        check_sections(&sections, bytes)?;
        Ok(SharedObject { bytes, sections })
    }

    /// Returns the contents of the section called `name`.
    pub(super) fn section(&self, name: &str) -> Option<&'a [u8]> {
        let (_, section) = self.sections.section_by_name(LittleEndian, name.as_bytes())?;
        section.data(LittleEndian, self.bytes).ok()
    }
}

/// Checks magic bytes, class and byte order, which are readable in ELF files of any kind.
fn check_identity(bytes: &[u8]) -> Result<(), Refusal> {
    if bytes.is_empty() {
        return Err(Refusal::new(Code::NotElf, "the file is empty"));
    }
    let Some(rest) = bytes.strip_prefix(&elf::ELFMAG) else {
        return Err(Refusal::new(
            Code::NotElf,
            format!("the file is not an ELF file: it begins with {}", start(bytes)),
        ));
    };
    let &[class, order, ..] = rest else {
        return Err(cut_off(bytes, "its identity is incomplete"));
    };
    if class != elf::ELFCLASS64.0 {
        let bits = if class == elf::ELFCLASS32.0 { "a 32-bit" } else { "not a 64-bit" };
        return Err(Refusal::new(
            Code::WrongClass,
            format!("the file is {bits} ELF file, this host is a 64-bit one"),
        ));
    }
    if order != elf::ELFDATA2LSB.0 {
        return Err(Refusal::new(Code::WrongClass, "the file is big-endian, this host is little-endian"));
    }
    Ok(())
}

fn check_target(header: &Header) -> Result<(), Refusal> {
    let machine = header.e_machine(LittleEndian);
    if machine != OWN_MACHINE {
        let text = format!(
            "the file was built for {}, this host runs on {}",
            machine_name(machine),
            machine_name(OWN_MACHINE)
        );
        return Err(Refusal::new(Code::WrongMachine, text));
    }
    let kind = header.e_type(LittleEndian);
    if kind != elf::ET_DYN {
        let text = format!("the file is {}, not a shared object", kind_name(kind));
        return Err(Refusal::new(Code::NotShared, text));
    }
    Ok(())
}

fn check_segments(header: &Header, bytes: &[u8]) -> Result<(), Refusal> {
    let segments =
        header.program_headers(LittleEndian, bytes).map_err(|error| cut_off(bytes, &error.to_string()))?;
    for segment in segments {
        let (offset, size) = segment.file_range(LittleEndian);
        if !within(bytes, offset, size) {
            return Err(cut_off(
                bytes,
                &format!("a segment reaches to byte {}", offset.saturating_add(size)),
            ));
        }
    }
    if segments.is_empty() {
        return Err(Refusal::new(Code::Malformed, "the file has no segments to load"));
    }
    Ok(())
}

fn check_sections(sections: &SectionTable<'_, Header>, bytes: &[u8]) -> Result<(), Refusal> {
    for section in sections.iter() {
        let Some((offset, size)) = section.file_range(LittleEndian) else { continue };
        if !within(bytes, offset, size) {
            return Err(cut_off(
                bytes,
                &format!("a section reaches to byte {}", offset.saturating_add(size)),
            ));
        }
        if sections.section_name(LittleEndian, section).is_err() {
            return Err(Refusal::new(Code::Malformed, "a section has no readable name"));
        }
    }
    Ok(())
}

fn within(bytes: &[u8], offset: u64, size: u64) -> bool {
    offset.checked_add(size).is_some_and(|end| end <= bytes.len() as u64)
}

fn cut_off(bytes: &[u8], found: &str) -> Refusal {
    Refusal::new(
        Code::Truncated,
        format!("the file ends after {} bytes, but more follows: {found}", bytes.len()),
    )
}

/// Returns the first bytes as text, so that the user recognises the kind of file.
fn start(bytes: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(bytes.get(..24).unwrap_or(bytes)).escape_debug().collect();
    format!("`{text}`")
}

fn machine_name(machine: Machine) -> String {
    match machine {
        elf::EM_X86_64 => String::from("x86_64"),
        elf::EM_AARCH64 => String::from("aarch64"),
        elf::EM_386 => String::from("x86 (32 bit)"),
        elf::EM_ARM => String::from("arm (32 bit)"),
        elf::EM_RISCV => String::from("riscv"),
        elf::EM_PPC64 => String::from("powerpc64"),
        Machine(other) => format!("machine number {other}"),
    }
}

fn kind_name(kind: FileType) -> String {
    match kind {
        elf::ET_REL => String::from("an object file (`.o`)"),
        elf::ET_EXEC => String::from("an executable"),
        elf::ET_CORE => String::from("a core dump"),
        FileType(other) => format!("of ELF type {other}"),
    }
}
