/** The environment of a measurement: the machine and the database, and checks of both. */
package io.movr.environment;
