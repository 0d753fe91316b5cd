/** How fast this machine and its database are, held against what was published, and why. */
package io.movr.calibration;
