package io.movr.instance;

import io.micrometer.core.instrument.MeterRegistry;
import io.movr.database.SchemaStage;
import io.movr.region.InstanceRegion;
import io.movr.region.Region;
import io.movr.web.CityRequest;
import io.movr.web.RequestProblem;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Type;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.http.HttpInputMessage;
import org.springframework.http.converter.HttpMessageConverter;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestBodyAdviceAdapter;

/**
 * Looks up the city of each request, in the path, a parameter or the body: refuses unknown cities, and marks remote requests in the
 * response and in metrics. A remote request is served too, at the cost of a round trip to its home region.
 */
@ControllerAdvice
class HomeRegions extends RequestBodyAdviceAdapter implements HandlerInterceptor, WebMvcConfigurer {

    static final String HOME_REGION = "Movr-Home-Region";
    static final String REMOTE = "Movr-Remote";
    private static final String CITY = "city";

    private final InstanceRegion instanceRegion;
    private final MeterRegistry meters;
    private final SchemaStage stage;

    HomeRegions(InstanceRegion instanceRegion, MeterRegistry meters, SchemaStage stage) {
        this.instanceRegion = instanceRegion;
        this.meters = meters;
        this.stage = stage;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/api/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
        Object named = variables instanceof Map<?, ?> map ? map.get(CITY) : null;
        String city = named == null ? request.getParameter(CITY) : named.toString();
        if (city != null) {
            mark(city, response);
        }
        return true;
    }

    @Override
    public boolean supports(MethodParameter parameter, Type type, Class<? extends HttpMessageConverter<?>> converter) {
        return CityRequest.class.isAssignableFrom(parameter.getParameterType());
    }

    @Override
    public Object afterBodyRead(
            Object body,
            HttpInputMessage message,
            MethodParameter parameter,
            Type type,
            Class<? extends HttpMessageConverter<?>> converter) {
        // The body may be the JSON value null.
        String city = body instanceof CityRequest request ? request.city() : null;
        if (city != null
                && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes) {
            mark(city, attributes.getResponse());
        }
        return body;
    }

    private void mark(String city, @Nullable HttpServletResponse response) {
        Region home = instanceRegion
                .map()
                .regionOf(city)
                .orElseThrow(() -> RequestProblem.UNKNOWN_CITY.because(
                        CITY,
                        "must be one of "
                                + String.join(", ", instanceRegion.map().allCities())));
        boolean remote = instanceRegion.isRemote(city);
        if (response != null) {
            response.setHeader(HOME_REGION, home.name());
            response.setHeader(REMOTE, Boolean.toString(remote));
        }
        meters.counter(
                        "movr.requests",
                        "home_region",
                        home.name(),
                        "remote",
                        Boolean.toString(remote),
                        "stage",
                        stage.name())
                .increment();
    }
}
