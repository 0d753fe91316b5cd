package io.movr;

import java.util.TimeZone;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;

/** The MovR service: users, vehicles, rides and promo codes over HTTP. */
@SpringBootApplication
@ConfigurationPropertiesScan
public class MovrApplication {

    public static void main(String[] arguments) {
        application().run(arguments);
    }

    /** Returns the service, to be run with further settings. */
    public static SpringApplication application() {
        // The tables hold UTC in columns without a zone, which JDBC reads in the zone of the process.
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
        SpringApplication application = new SpringApplication(MovrApplication.class);
        // Also if another program starts the service, because the generated bean definitions are named after this
        // class.
        application.setMainApplicationClass(MovrApplication.class);
        application.addListeners(new AheadOfTime());
        return application;
    }
}
