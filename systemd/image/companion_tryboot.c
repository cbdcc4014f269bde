// SPDX-License-Identifier: GPL-2.0
// Hands the word "tryboot" of a restart's argument to the firmware of a Raspberry Pi, which then tries the other slot,
// once. Raspberry Pi's own kernel does this itself, Linux does not (raspberrypi/rpi-eeprom issue 716). Built for the
// image's kernel by tools/card_image/pi_parts.py.
#include <linux/module.h>
#include <linux/of.h>
#include <linux/reboot.h>
#include <linux/string.h>
#include <soc/bcm2835/raspberrypi-firmware.h>

#define SET_REBOOT_FLAGS 0x00038064
#define REBOOT_FLAG_TRYBOOT 1

static struct rpi_firmware *firmware;

static int hand_over(struct notifier_block *block, unsigned long action, void *argument)
{
	u32 flags = REBOOT_FLAG_TRYBOOT;

	if (action == SYS_RESTART && argument && strstr(argument, "tryboot")) {
		if (rpi_firmware_property(firmware, SET_REBOOT_FLAGS, &flags, sizeof(flags)))
			pr_err("the firmware does not try the other slot\n");
	}
	return NOTIFY_DONE;
}

static struct notifier_block block = { .notifier_call = hand_over };

static int __init companion_tryboot_init(void)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "raspberrypi,bcm2835-firmware");
	int error;

	firmware = node ? rpi_firmware_get(node) : NULL;
	of_node_put(node);
	if (!firmware)
		return -ENODEV;
	error = register_reboot_notifier(&block);
	if (error)
		rpi_firmware_put(firmware);
	return error;
}

static void __exit companion_tryboot_exit(void)
{
	unregister_reboot_notifier(&block);
	rpi_firmware_put(firmware);
}

module_init(companion_tryboot_init);
module_exit(companion_tryboot_exit);
MODULE_DESCRIPTION("Start the other slot of a board game companion's card on trial");
MODULE_LICENSE("GPL");
