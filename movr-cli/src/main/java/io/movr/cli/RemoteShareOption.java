package io.movr.cli;

import picocli.CommandLine.Option;

/** The option of the share of remote requests. */
class RemoteShareOption {

    @Option(
            names = "--remote-share",
            paramLabel = "SHARE",
            description = "Share of arrivals that request a city of another region, 0 to 1 (default: 0.05).")
    private double remoteShare = TrafficOptions.REMOTE_SHARE;

    final double remoteShare() {
        return remoteShare;
    }
}
