/** Regional traffic on the MovR service: endpoints, journeys made of them, and one simulation over all regions. */
package io.movr.load;
