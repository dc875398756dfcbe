//! The ports of a device.

/// Purpose of a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Key {
    Clock,
    Control,
    Info,
    Data,
    Rx,
    Tx,
    Tf,
    /// Requests about a module.
    ModuleInfo(Module),
    /// The data of a module.
    ModuleData(Module),
}

impl Key {
    /// Returns its name in the list of devices, which is also the last part of the text that tags are made from.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Key::Clock => "Clock",
            Key::Control => "Control",
            Key::Info => "Info",
            Key::Data => "Data",
            Key::Rx => "Rx",
            Key::Tx => "Tx",
            Key::Tf => "Tf",
            Key::ModuleInfo(module) => module.row().info,
            Key::ModuleData(module) => module.row().data,
        }
    }
}

/// A sensor within a RealSense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Module {
    Color,
    LeftImager,
    RightImager,
    Depth,
    AlignedDepth,
    Imu,
}

/// The names of a module.
struct Row {
    module: Module,
    name: &'static str,
    info: &'static str,
    data: &'static str,
}

static ROWS: [Row; 6] = [
    Row { module: Module::Color, name: "color", info: "colorInfo", data: "colorData" },
    Row { module: Module::LeftImager, name: "left_imager", info: "left_imagerInfo", data: "left_imagerData" },
    Row {
        module: Module::RightImager,
        name: "right_imager",
        info: "right_imagerInfo",
        data: "right_imagerData",
    },
    Row { module: Module::Depth, name: "depth", info: "depthInfo", data: "depthData" },
    Row {
        module: Module::AlignedDepth,
        name: "aligned_depth_to_color",
        info: "aligned_depth_to_colorInfo",
        data: "aligned_depth_to_colorData",
    },
    Row { module: Module::Imu, name: "imu", info: "imuInfo", data: "imuData" },
];

impl Module {
    /// Returns the module of that name.
    pub(crate) fn of(name: &str) -> Option<Self> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.module)
    }

    /// Returns the names of all modules.
    pub(crate) fn names() -> String {
        ROWS.each_ref().map(|row| row.name).join(", ")
    }

    /// Returns its name, which its sensor has too.
    pub(crate) fn name(self) -> &'static str {
        self.row().name
    }

    fn row(self) -> &'static Row {
        // The rows are in the order of the modules, which the test checks.
        &ROWS[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_of_a_module_are_its_name_and_the_purpose() {
        for (index, row) in ROWS.iter().enumerate() {
            assert_eq!(row.module as usize, index);
            assert_eq!(Module::of(row.name), Some(row.module));
            assert_eq!(Key::ModuleInfo(row.module).name(), format!("{}Info", row.name));
            assert_eq!(Key::ModuleData(row.module).name(), format!("{}Data", row.name));
        }
        assert_eq!(Module::of("infrared"), None);
    }
}
