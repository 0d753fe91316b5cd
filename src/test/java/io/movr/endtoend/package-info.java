/** The commands as a user types them, and the architecture of all modules. */
package io.movr.endtoend;
