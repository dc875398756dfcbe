//! Checks that bytes are a complete shared object for this machine, and finds its sections.
//!
//! The check runs before the dynamic linker opens the file, because mapping a truncated file ends the process with
//! SIGBUS. Nothing of the file is run or mapped here, and of a file that is not in memory only the headers and the
//! requested sections are read. Usable from any thread.

use object::LittleEndian;
use object::elf::{self, FileHeader64, FileType, Machine, SectionHeader64};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};
use object::read::{ReadRef, StringTable};

use super::code::Code;
use super::refusal::Refusal;

type Header = FileHeader64<LittleEndian>;

/// The architecture of this host.
#[cfg(target_arch = "x86_64")]
const OWN_MACHINE: Machine = elf::EM_X86_64;
/// The architecture of this host.
#[cfg(target_arch = "aarch64")]
const OWN_MACHINE: Machine = elf::EM_AARCH64;

type Section = SectionHeader64<LittleEndian>;

/// Number of bytes that are read of a file of any kind, and shown if it is another one: more than the identity of an ELF
/// file.
const START_LEN: u64 = 24;

/// A file that passed the check.
pub(super) struct SharedObject<'a, R> {
    bytes: R,
    sections: &'a [Section],
    /// Names of the sections.
    names: StringTable<'a>,
}

impl<'a, R: ReadRef<'a>> SharedObject<'a, R> {
    /// Checks `bytes`: identity, machine, kind, and that all segments and sections are within the file.
    pub(super) fn parse(bytes: R) -> Result<Self, Refusal> {
        let len =
            bytes.len().map_err(|()| Refusal::new(Code::Unreadable, "the size of the file is unknown"))?;
        let image = Image { bytes, len };
        image.check_identity()?;
        let header = Header::parse(bytes).map_err(|error| image.cut_off(&error.to_string()))?;
        check_target(header)?;
        image.check_segments(header)?;
        let (sections, names) = image.sections(header)?;
        Ok(SharedObject { bytes, sections, names })
    }

    /// Returns the contents of the section called `name`.
    pub(super) fn section(&self, name: &str) -> Option<&'a [u8]> {
        let is_it = |section: &&Section| section.name(LittleEndian, self.names) == Ok(name.as_bytes());
        self.sections.iter().find(is_it)?.data(LittleEndian, self.bytes).ok()
    }
}

/// A file that is being checked.
#[derive(Clone, Copy)]
struct Image<R> {
    bytes: R,
    len: u64,
}

impl<'a, R: ReadRef<'a>> Image<R> {
    /// Checks magic bytes, class and byte order, which are readable in ELF files of any kind.
    fn check_identity(&self) -> Result<(), Refusal> {
        let start = self.bytes.read_bytes_at(0, START_LEN.min(self.len)).unwrap_or_default();
        if start.is_empty() {
            return Err(Refusal::new(Code::NotElf, "the file is empty"));
        }
        let Some(rest) = start.strip_prefix(&elf::ELFMAG) else {
            // The user recognises the kind of the file.
            let text: String = String::from_utf8_lossy(start).escape_debug().collect();
            let text = format!("the file is not an ELF file: it begins with `{text}`");
            return Err(Refusal::new(Code::NotElf, text));
        };
        let &[class, order, ..] = rest else {
            return Err(self.cut_off("its identity is incomplete"));
        };
        check_class(class, order)
    }

    fn check_segments(&self, header: &Header) -> Result<(), Refusal> {
        let segments = header
            .program_headers(LittleEndian, self.bytes)
            .map_err(|error| self.cut_off(&error.to_string()))?;
        for segment in segments {
            self.check_within("segment", segment.file_range(LittleEndian))?;
        }
        if segments.is_empty() {
            return Err(Refusal::new(Code::Malformed, "the file has no segments to load"));
        }
        Ok(())
    }

    /// Returns the sections, all of which are within the file, and the table of their names.
    fn sections(&self, header: &Header) -> Result<(&'a [Section], StringTable<'a>), Refusal> {
        let cut_off = |error: object::read::Error| self.cut_off(&error.to_string());
        let sections = header.section_headers(LittleEndian, self.bytes).map_err(cut_off)?;
        for range in sections.iter().filter_map(|section| section.file_range(LittleEndian)) {
            self.check_within("section", range)?;
        }
        let names = self.names(header, sections).map_err(cut_off)?;
        if sections.iter().any(|section| section.name(LittleEndian, names).is_err()) {
            return Err(Refusal::new(Code::Malformed, "a section has no readable name"));
        }
        Ok((sections, names))
    }

    /// Reads the table of names as a whole: names that share bytes must not be read, and kept, once for each section.
    fn names(&self, header: &Header, sections: &[Section]) -> object::read::Result<StringTable<'a>> {
        if sections.is_empty() {
            return Ok(StringTable::default());
        }
        let index = header.shstrndx(LittleEndian, self.bytes)? as usize;
        let Some(table) = sections.get(index) else { return Ok(StringTable::default()) };
        let text = table.data(LittleEndian, self.bytes)?;
        Ok(StringTable::new(text, 0, text.len() as u64))
    }

    fn check_within(&self, part: &str, (offset, size): (u64, u64)) -> Result<(), Refusal> {
        let end = offset.saturating_add(size);
        if end > self.len || offset.checked_add(size).is_none() {
            return Err(self.cut_off(&format!("a {part} reaches to byte {end}")));
        }
        Ok(())
    }

    fn cut_off(&self, found: &str) -> Refusal {
        Refusal::new(
            Code::Truncated,
            format!("the file ends after {} bytes, but more follows: {found}", self.len),
        )
    }
}

fn check_class(class: u8, order: u8) -> Result<(), Refusal> {
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
