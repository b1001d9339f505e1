"""Observes display adapters and graphics settings in the registry; only imported on Windows."""

import ctypes
import re
import sys

from torchdoctor.facts import Absent, DisplayAdapter, DisplayAdapters, GraphicsSettings

# The device setup class of display adapters, and the key of its drivers.
_CLASS = "{4d36e968-e325-11ce-bfc1-08002be10318}"
_CLASS_KEY = rf"SYSTEM\CurrentControlSet\Control\Class\{_CLASS}"
_DEVICE_KEY = r"SYSTEM\CurrentControlSet\Enum"
# https://learn.microsoft.com/windows-hardware/drivers/display/tdr-registry-keys
_SETTINGS_KEY = r"SYSTEM\CurrentControlSet\Control\GraphicsDrivers"
_SETTINGS = {
    "TdrLevel": "tdr_level",
    "TdrDelay": "tdr_delay_seconds",
    "TdrDdiDelay": "tdr_ddi_delay_seconds",
    "TdrLimitTime": "tdr_limit_seconds",
    "TdrLimitCount": "tdr_limit_count",
    "TdrDebugMode": "tdr_debug_mode",
    "HwSchMode": "hardware_scheduling",
}
# CM_GETIDLIST_FILTER_* of cfgmgr32.h: devices of one bus that are plugged in now.
_FILTER_ENUMERATOR, _FILTER_PRESENT = 0x001, 0x100
_VENDOR = re.compile(r"VEN_([0-9A-F]{4})", re.IGNORECASE)
# The PCI class code of display controllers, as it appears in CompatibleIDs.
_DISPLAY_CODE = re.compile(r"PCI\\(?:VEN_[0-9A-F]{4}&)?CC_03", re.IGNORECASE)

if sys.platform == "win32":
    import winreg

    def observe_display_adapters() -> DisplayAdapters | Absent:
        """Read the adapters that are plugged in, or if Windows lists none, all adapters with a driver."""
        registered = _read_registered()
        present = [adapter for device in _list_pci_devices() if (adapter := _read_device(device, registered))]
        if present:
            return DisplayAdapters(tuple(present))
        if isinstance(registered, Absent):
            return registered
        return DisplayAdapters(tuple(registered.values()))

    def observe_graphics_settings() -> GraphicsSettings | Absent:
        """Read the settings that are set; a setting without a value has its default."""
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _SETTINGS_KEY) as key:
                values = {name: value for name in _SETTINGS if (value := _read_value(key, name)) is not None}
        except OSError as error:
            return Absent(f"GraphicsDrivers could not be read: {error.strerror or error}")
        numbers = {
            _SETTINGS[name]: value
            for name, (value, kind) in values.items()
            if kind == winreg.REG_DWORD and isinstance(value, int)
        }
        mistyped = tuple(name for name, (_, kind) in values.items() if kind != winreg.REG_DWORD)
        return GraphicsSettings(**numbers, mistyped=mistyped)

    def _read_registered() -> dict[str, DisplayAdapter] | Absent:
        """Read all adapters that have a driver, also removed ones, by the name of their key ("0000")."""
        adapters: dict[str, DisplayAdapter] = {}
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, _CLASS_KEY) as key:
                names = [winreg.EnumKey(key, index) for index in range(winreg.QueryInfoKey(key)[0])]
                for name in names:
                    if name.isdecimal() and (adapter := _read_adapter(key, name)) is not None:
                        adapters[name] = adapter
        except OSError as error:
            return Absent(f"the display adapters could not be read: {error.strerror or error}")
        return adapters

    def _read_adapter(parent: winreg.HKEYType, name: str) -> DisplayAdapter | None:
        try:
            with winreg.OpenKey(parent, name) as key:
                description = _read_text(key, "DriverDesc")
                vendor = _find_vendor(_read_text(key, "MatchingDeviceId"))
                provider, version = _read_text(key, "ProviderName"), _read_text(key, "DriverVersion")
        except OSError:
            return None
        if isinstance(description, Absent):
            return None
        unknown = Absent("Windows did not list the devices that are plugged in")
        return DisplayAdapter(description, vendor, provider, version, unknown)

    def _list_pci_devices() -> list[str]:
        library = ctypes.WinDLL("cfgmgr32")
        flags, length = _FILTER_ENUMERATOR | _FILTER_PRESENT, ctypes.c_ulong()
        bus = ctypes.c_wchar_p("PCI")
        if library.CM_Get_Device_ID_List_SizeW(ctypes.byref(length), bus, flags) or not length.value:
            return []
        buffer = ctypes.create_unicode_buffer(length.value)
        if library.CM_Get_Device_ID_ListW(bus, buffer, length, flags):
            return []
        return [name for name in str(buffer[: length.value]).split("\0") if name]

    def _read_device(device: str, registered: dict[str, DisplayAdapter] | Absent) -> DisplayAdapter | None:
        """Return a PCI device as an adapter, also without a driver; None if it is no display adapter."""
        try:
            with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, rf"{_DEVICE_KEY}\{device}") as key:
                compatible_ids = _read_value(key, "CompatibleIDs")
                driver, description = _read_text(key, "Driver"), _read_text(key, "DeviceDesc")
        except OSError:
            return None
        codes = compatible_ids[0] if compatible_ids and isinstance(compatible_ids[0], list) else []
        if not any(_DISPLAY_CODE.match(str(code)) for code in codes):
            return None
        adapter = None
        if not isinstance(driver, Absent) and not isinstance(registered, Absent):
            adapter = registered.get(driver.rpartition("\\")[2])
        no_driver = Absent("no driver is installed for it")
        return DisplayAdapter(
            # The readable name follows the last semicolon: "@oem3.inf,%name%;NVIDIA ...".
            name=adapter.name if adapter else str(description).rpartition(";")[2],
            vendor_id=_find_vendor(device),
            provider=adapter.provider if adapter else no_driver,
            driver_version=adapter.driver_version if adapter else no_driver,
            is_present=True,
        )

    def _find_vendor(text: str | Absent) -> str | Absent:
        match = None if isinstance(text, Absent) else _VENDOR.search(text)
        return match[1].lower() if match else Absent("the device names no PCI vendor")

    def _read_text(key: winreg.HKEYType, name: str) -> str | Absent:
        value = _read_value(key, name)
        return str(value[0]) if value and value[0] else Absent(f"{name} is not set")

    def _read_value(key: winreg.HKEYType, name: str) -> tuple[object, int] | None:
        """Return the data and the type of a registry value, None if it cannot be read."""
        try:
            value, kind = winreg.QueryValueEx(key, name)
        except OSError:
            return None
        return value, kind
