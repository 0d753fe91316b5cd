/** The experiments, and how they are measured and checked. */
package io.movr.lab;
