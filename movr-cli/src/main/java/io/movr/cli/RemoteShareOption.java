package io.movr.cli;

import picocli.CommandLine.Option;

/** How many arrivals ask for rows of another region. */
class RemoteShareOption {

    @Option(
            names = "--remote-share",
            paramLabel = "SHARE",
            description = "Share of arrivals that ask for a city of another region, 0 to 1 (default: 0.05).")
    private double remoteShare = TrafficOptions.REMOTE_SHARE;

    final double remoteShare() {
        return remoteShare;
    }
}
