//! Resolves descriptor bytes to a validated [`MessageType`], or to the first error.
//!
//! Messages are resolved depth first, so each struct follows those it contains, and a message met again on its
//! own path is a recursion. Limits bound the cost of a hostile descriptor.

use std::collections::HashMap;

use prost::Message as _;

use super::Schema;
use crate::descriptor::{self, Descriptor, FieldDescriptor, File, FileSet};
use crate::error::{NotInRos, SchemaError};
use crate::message_type::{Arity, Field, MessageType, Struct, StructId, Wire};
use crate::ros::{self, AnnotationFault, RosTypeName};

/// A descriptor set of a message with all its ROS dependencies has some tens of kilobytes.
const MAX_BYTES: usize = 1 << 20;
/// Levels of nesting; the deepest common interface has six.
const MAX_DEPTH: usize = 32;
/// Values in all messages of the type with the shortest arrays: bounds the plans, and the expansion of
/// an empty payload.
const MAX_LEAVES: usize = 1 << 17;

pub(super) fn resolve(schema: &Schema) -> Result<MessageType, SchemaError> {
    let root = schema.full_name();
    check_limit(root, "its descriptor set in bytes", schema.descriptor_set().len(), MAX_BYTES)?;
    let set = FileSet::decode(schema.descriptor_set())
        .map_err(|error| SchemaError::Corrupt { root: root.to_owned(), cause: error.to_string() })?;
    let mut resolver = Resolver {
        index: index(&set)?,
        root,
        done: HashMap::new(),
        structs: Vec::new(),
        leaves: 0,
        path: Vec::new(),
    };
    if !resolver.index.contains_key(root) {
        return Err(SchemaError::UnknownRoot { root: root.to_owned(), found: listed(&resolver.index) });
    }
    let (message, _) = resolver.message(root)?;
    Ok(MessageType::new(schema.clone(), resolver.structs, message))
}

fn check_limit(root: &str, what: &'static str, found: usize, limit: usize) -> Result<(), SchemaError> {
    if found <= limit {
        return Ok(());
    }
    Err(SchemaError::TooLarge { root: root.to_owned(), what, found, limit })
}

type Index<'a> = HashMap<String, (&'a File, &'a Descriptor)>;

/// Every message of the set by full name.
fn index(set: &FileSet) -> Result<Index<'_>, SchemaError> {
    let mut index = Index::new();
    for file in &set.file {
        add(file, &file.package, &file.message, &mut index)?;
    }
    Ok(index)
}

fn add<'a>(
    file: &'a File,
    scope: &str,
    messages: &'a [Descriptor],
    index: &mut Index<'a>,
) -> Result<(), SchemaError> {
    for message in messages {
        let name = if scope.is_empty() { message.name.clone() } else { format!("{scope}.{}", message.name) };
        add(file, &name, &message.nested, index)?;
        if index.insert(name.clone(), (file, message)).is_some() {
            return Err(SchemaError::Duplicate { message: name });
        }
    }
    Ok(())
}

/// Returns names for an error text: the first few, sorted.
fn listed(index: &Index<'_>) -> String {
    let mut names: Vec<&str> = index.keys().map(String::as_str).collect();
    names.sort_unstable();
    match names.as_slice() {
        [] => "no messages".to_owned(),
        [a, b, c, rest @ ..] if rest.len() > 5 => format!("{a}, {b}, {c} and {} more", rest.len()),
        few => few.join(", "),
    }
}

struct Resolver<'a> {
    index: Index<'a>,
    root: &'a str,
    /// Struct and number of leaves of every finished contained message.
    done: HashMap<String, (StructId, usize)>,
    structs: Vec<Struct>,
    /// Number of leaves of all finished messages.
    leaves: usize,
    /// Messages being resolved, the root first.
    path: Vec<String>,
}

impl<'a> Resolver<'a> {
    /// Resolves one message and counts the values in its shortest form.
    fn message(&mut self, name: &str) -> Result<(Struct, usize), SchemaError> {
        let Some(&(file, descriptor)) = self.index.get(name) else {
            return Err(SchemaError::UnknownRoot { root: name.to_owned(), found: listed(&self.index) });
        };
        check_file(name, file)?;
        check_oneofs(name, descriptor)?;
        let ros_type = ros_type(name, descriptor)?;
        let constants = constants(name, descriptor)?;

        self.path.push(name.to_owned());
        check_limit(self.root, "its nesting", self.path.len(), MAX_DEPTH)?;
        let mut fields: Vec<Field> = Vec::with_capacity(descriptor.field.len());
        let mut leaves = 0_usize;
        for declared in &descriptor.field {
            let number = check_field(name, declared, &fields)?;
            let (field, field_leaves) = self.field(name, declared, number)?;
            leaves = leaves.saturating_add(field_leaves);
            fields.push(field);
        }
        self.path.pop();
        self.leaves = self.leaves.saturating_add(leaves);
        check_limit(self.root, "the number of values in its empty form", self.leaves, MAX_LEAVES)?;
        Ok((Struct { full_name: name.to_owned(), ros_type, fields, constants }, leaves))
    }

    fn field(
        &mut self,
        name: &str,
        declared: &FieldDescriptor,
        number: u32,
    ) -> Result<(Field, usize), SchemaError> {
        let repeated = declared.label == descriptor::LABEL_REPEATED;
        let (wire, element_leaves) = self.wire(name, declared)?;
        let annotated = declared.options.as_ref().and_then(|options| options.ros_field.as_deref());
        let (element, arity) = ros::parse_field_type(wire, repeated, annotated)
            .map_err(|cause| bad_field_annotation(name, declared, "ros_field", annotated, cause))?;
        let default = declared.options.as_ref().and_then(|options| options.ros_default.clone());
        let added = declared.options.as_ref().and_then(|options| options.ros_added.clone());
        for (annotation, text) in [("ros_default", &default), ("ros_added", &added)] {
            if let (Some(text), Arity::One) = (text, arity) {
                ros::check_value(element, text)
                    .map_err(|cause| bad_field_annotation(name, declared, annotation, Some(text), cause))?;
            }
        }
        let leaves = match arity {
            Arity::One => element_leaves,
            Arity::Sequence | Arity::Bounded(_) => 1,
            Arity::Fixed(length) => {
                element_leaves.saturating_mul(usize::try_from(length).unwrap_or(usize::MAX))
            }
        };
        Ok((Field { name: declared.name.clone(), number, wire, arity, element, default, added }, leaves))
    }

    /// Returns the type of one element, and the number of values in its shortest form.
    fn wire(&mut self, name: &str, declared: &FieldDescriptor) -> Result<(Wire, usize), SchemaError> {
        match declared.kind {
            descriptor::TYPE_MESSAGE => {
                let (id, leaves) = self.contained(name, declared)?;
                Ok((Wire::Message(id), leaves))
            }
            descriptor::TYPE_GROUP => Err(not_in_ros(name, &declared.name, NotInRos::Group)),
            descriptor::TYPE_ENUM => Err(not_in_ros(name, &declared.name, NotInRos::Enum)),
            kind => match Wire::from_descriptor(kind) {
                Some(wire) => Ok((wire, 1)),
                None => Err(bad_field(name, declared, "its type is not a protobuf type")),
            },
        }
    }

    fn contained(
        &mut self,
        name: &str,
        declared: &FieldDescriptor,
    ) -> Result<(StructId, usize), SchemaError> {
        let wanted = declared.type_name.trim_start_matches('.');
        let Some((_, descriptor)) = self.index.get(wanted) else {
            return Err(SchemaError::MissingType {
                message: name.to_owned(),
                field: declared.name.clone(),
                wanted: wanted.to_owned(),
            });
        };
        if descriptor.options.as_ref().is_some_and(|options| options.map_entry) {
            return Err(not_in_ros(name, &declared.name, NotInRos::Map));
        }
        if let Some(start) = self.path.iter().position(|on_path| on_path == wanted) {
            let cycle = self.path.iter().skip(start).map(String::as_str).chain([wanted]).collect::<Vec<_>>();
            return Err(SchemaError::Recursion { message: wanted.to_owned(), cycle: cycle.join(" -> ") });
        }
        if let Some(known) = self.done.get(wanted) {
            return Ok(*known);
        }
        let (message, leaves) = self.message(wanted)?;
        let found = (StructId(self.structs.len()), leaves);
        self.structs.push(message);
        self.done.insert(wanted.to_owned(), found);
        Ok(found)
    }
}

fn check_file(name: &str, file: &File) -> Result<(), SchemaError> {
    if file.syntax == "proto3" {
        return Ok(());
    }
    // A proto2 file has no syntax field.
    let syntax = if file.syntax.is_empty() { "proto2" } else { &file.syntax };
    Err(SchemaError::NotProto3 {
        message: name.to_owned(),
        file: file.name.clone(),
        syntax: syntax.to_owned(),
    })
}

/// Refuses oneofs by their own name, and the hidden ones of `optional` by the name of their field.
fn check_oneofs(name: &str, descriptor: &Descriptor) -> Result<(), SchemaError> {
    for field in &descriptor.field {
        if field.proto3_optional {
            return Err(not_in_ros(name, &field.name, NotInRos::Optional));
        }
        if field.oneof_index.is_some() {
            return Err(not_in_ros(name, &field.name, NotInRos::Oneof));
        }
    }
    match descriptor.oneof.first() {
        Some(oneof) => Err(not_in_ros(name, &oneof.name, NotInRos::Oneof)),
        None => Ok(()),
    }
}

fn ros_type(name: &str, descriptor: &Descriptor) -> Result<RosTypeName, SchemaError> {
    let annotated = descriptor.options.as_ref().and_then(|options| options.ros_message.as_deref());
    let Some(text) = annotated else { return Err(SchemaError::NoRosType { message: name.to_owned() }) };
    RosTypeName::parse(text).map_err(|cause| bad_annotation(name, "ros_message", text, cause))
}

fn constants(name: &str, descriptor: &Descriptor) -> Result<Vec<String>, SchemaError> {
    let lines =
        descriptor.options.as_ref().map(|options| options.ros_constant.as_slice()).unwrap_or_default();
    for line in lines {
        ros::check_constant(line).map_err(|cause| bad_annotation(name, "ros_constant", line, cause))?;
    }
    Ok(lines.to_vec())
}

/// Checks name and number of a field against the rules and the fields before it.
fn check_field(name: &str, declared: &FieldDescriptor, before: &[Field]) -> Result<u32, SchemaError> {
    if !ros::is_lower_name(&declared.name) {
        return Err(bad_field(
            name,
            declared,
            "ROS requires lowercase letters, digits and single underscores",
        ));
    }
    let number = u32::try_from(declared.number).ok().filter(|number| (1..=0x1fff_ffff).contains(number));
    let Some(number) = number else {
        return Err(bad_field(name, declared, "the number is not from 1 to 536870911"));
    };
    if before.iter().any(|field| field.number == number) {
        return Err(bad_field(name, declared, "the number is used twice"));
    }
    if before.iter().any(|field| field.name == declared.name) {
        return Err(bad_field(name, declared, "the name is used twice"));
    }
    Ok(number)
}

fn not_in_ros(message: &str, field: &str, construct: NotInRos) -> SchemaError {
    SchemaError::NotInRos {
        message: message.to_owned(),
        field: field.to_owned(),
        construct,
        remedy: construct.remedy(),
    }
}

fn bad_field(message: &str, declared: &FieldDescriptor, cause: &'static str) -> SchemaError {
    SchemaError::BadField {
        message: message.to_owned(),
        field: declared.name.clone(),
        number: declared.number,
        cause,
    }
}

fn bad_annotation(place: &str, annotation: &'static str, found: &str, cause: AnnotationFault) -> SchemaError {
    SchemaError::BadAnnotation { place: place.to_owned(), annotation, found: found.to_owned(), cause }
}

fn bad_field_annotation(
    message: &str,
    declared: &FieldDescriptor,
    annotation: &'static str,
    found: Option<&str>,
    cause: AnnotationFault,
) -> SchemaError {
    bad_annotation(&format!("{message}.{}", declared.name), annotation, found.unwrap_or_default(), cause)
}
