/** The calibration of a machine and its database, compared with published figures. */
package io.movr.calibration;
