/** The experiments, how they are measured and checked, and what their results say of the published ones. */
package io.movr.lab;
