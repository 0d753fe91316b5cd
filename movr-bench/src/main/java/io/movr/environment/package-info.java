/** What measuring depends on: the machine and the database, and checks of both before anything is measured. */
package io.movr.environment;
