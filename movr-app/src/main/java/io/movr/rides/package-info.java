/** Rides, from the moment that a vehicle is taken to the moment that it is given back. */
package io.movr.rides;
