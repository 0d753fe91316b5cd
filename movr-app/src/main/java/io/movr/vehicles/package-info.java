/** What can be ridden. */
package io.movr.vehicles;
