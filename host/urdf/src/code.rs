//! The one table of everything the converter can find: code, meaning, what to try.
//! Messages and the page of error codes are made from it. A released number is never given to another meaning.

use std::fmt;

macro_rules! codes {
    ($($name:ident = $number:literal, $meaning:literal, $advice:literal;)*) => {
        /// The kind of a finding.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $name,)*
        }

        impl Code {
            /// Every code, in the order of the numbers.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The number in `BH-URD-nnn`.
            #[must_use]
            pub const fn number(self) -> u16 {
                match self { $(Self::$name => $number,)* }
            }

            /// What it means, as one sentence.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self { $(Self::$name => $meaning,)* }
            }

            /// What to try; empty when there is nothing to do.
            #[must_use]
            pub const fn advice(self) -> &'static str {
                match self { $(Self::$name => $advice,)* }
            }
        }
    };
}

codes! {
    NotXml = 1, "The text is not XML from this place on.", "look for a missing or crossed end tag, quote or `>` at or before this place";
    NotUrdf = 2, "The outermost element is not `<robot>`.", "give a URDF file; SDF is read without conversion";
    TooDeep = 3, "Elements are nested deeper than in any real file.", "look for a start tag that is never closed";
    Xacro = 4, "The file is a xacro source, not a URDF.", "run `xacro robot.urdf.xacro > robot.urdf` first and give the result";
    NoLink = 10, "The robot has no link that could become a body.", "add a `<link name=\"base_link\"/>` with an `<inertial>`";
    NameMissing = 11, "A link or joint has no name.", "add name=\"…\"";
    DuplicateName = 12, "Two links or two joints have the same name.", "give each its own name";
    LinkUnknown = 13, "A joint names a link that is not there.", "check the spelling, or add the link";
    TwoParents = 14, "A link is the child of two joints; a URDF is a tree.", "remove one of the joints; a closed loop has to be written in SDF";
    Cycle = 15, "Joints lead in a circle.", "one link must be the child of no joint";
    SeveralRoots = 16, "Several links are the child of no joint; a URDF is one tree.", "join the parts with a joint, or put each into a file of its own";
    ValueInvalid = 20, "A value is not of the kind that stands here; a default is used, or nothing.", "correct the value or remove it";
    Missing = 21, "A required element or attribute is missing.", "add it";
    Repeated = 22, "An element that may stand once stands several times; the first counts.", "remove the others";
    NameChanged = 23, "A name is not allowed in SDF, or is taken there, and was changed.", "choose a name that neither a link nor a joint has, without `::`, and not `world`; plugins must use the new one";
    Folded = 30, "A link without mass that hangs on a fixed joint became a frame of the body it is fixed to.", "";
    MassInvented = 31, "A link that moves has no mass; it was given a small one.", "add an `<inertial>` with the mass of the part, or `<gazebo><static>true</static></gazebo>` for what never moves";
    InertiaInvalid = 32, "Moments of inertia cannot belong to a real body and were replaced.", "all principal moments must be positive, and no moment may exceed the sum of the other two";
    GeometryInvalid = 40, "A geometry has no shape that can be used; it was left out.", "give one shape with positive sizes";
    MaterialUnknown = 41, "A material is named that is defined nowhere.", "add `<material name=\"…\"><color rgba=\"…\"/></material>` to the robot";
    JointTypeInvalid = 50, "A joint's type is not one of URDF's; the joint is fixed.", "use revolute, continuous, prismatic, fixed, floating or planar";
    JointFree = 51, "A floating or planar joint has no counterpart in SDF; its child moves freely.", "for planar motion use two prismatic joints and a revolute one";
    LimitInvalid = 52, "The limits of a joint do not mean what they say.", "give lower below upper, and effort and velocity above 0";
    MimicInvalid = 53, "A mimic relation leads nowhere and was left out.", "name another joint that is revolute, continuous or prismatic";
    NotConverted = 60, "An element of URDF has no counterpart in SDF and was left out.", "nothing has to be done unless the simulation should use it";
    Unknown = 61, "An element or attribute is not part of URDF and was left out.", "check the spelling and where it stands; what Gazebo shall see stands inside `<gazebo>`";
    ReferenceUnknown = 62, "`<gazebo reference>` names no link and no joint; it was left out.", "check the spelling; a sensor belongs to a link";
    ExtensionLost = 63, "A `<gazebo>` setting has nothing that it could apply to and was left out.", "give the link a mass of its own, or move the setting to the body it is fixed to";
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BH-URD-{:03}", self.number())
    }
}
