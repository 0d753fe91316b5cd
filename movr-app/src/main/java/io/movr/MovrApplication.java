package io.movr;

import java.util.TimeZone;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The MovR service: users, vehicles, rides and promo codes over HTTP, on the database that it is pinned to. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class MovrApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** Returns the service, ready to be run with more settings. */
    public static SpringApplication application() {
        // The tables hold times of UTC without saying so, and JDBC reads such columns in the zone of the process.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        SpringApplication application = new SpringApplication(MovrApplication.class);
        // Whatever program starts it: what was made ahead of time is named after this class.
        application.setMainApplicationClass(MovrApplication.class);
        application.addListeners(new AheadOfTime());
        return application;
    }
}
