/** The state of an instance of the service: its region, its database and its health. */
package io.movr.instance;
