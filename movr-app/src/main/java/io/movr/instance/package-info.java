/** One running instance of the service: where it stands, what it is connected to, how it is. */
package io.movr.instance;
