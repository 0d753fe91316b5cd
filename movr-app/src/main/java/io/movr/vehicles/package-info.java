/** Vehicles and their owners' requests. */
package io.movr.vehicles;
