/**
 * Running regions with an instance of the service in each, and measurements of their traffic before and after rows
 * are placed by region.
 */
@NullMarked
package io.movr.traffic;

import org.jspecify.annotations.NullMarked;
