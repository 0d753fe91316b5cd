/** The checks of {@code movr doctor}. */
package io.movr.doctor;
