/** Every piece of movr, tried on a cluster. */
package io.movr.doctor;
