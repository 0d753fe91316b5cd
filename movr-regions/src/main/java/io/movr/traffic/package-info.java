/**
 * Three regions with an instance of the service in each, and what traffic from all of them costs before and after the
 * stages that place rows.
 */
@NullMarked
package io.movr.traffic;

import org.jspecify.annotations.NullMarked;
