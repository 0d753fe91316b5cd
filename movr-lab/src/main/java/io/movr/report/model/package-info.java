/** The model of a result as readers see it: sections of tables and charts with units. */
package io.movr.report.model;
