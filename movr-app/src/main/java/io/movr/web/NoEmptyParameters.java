package io.movr.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Refuses parameters without a value or with several: a client's mistake, of which only a part would be heard. */
@Component
class NoEmptyParameters implements HandlerInterceptor, WebMvcConfigurer {

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this).addPathPatterns("/api/**");
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        request.getParameterMap().forEach((name, values) -> {
            if (values.length > 1) {
                throw RequestProblem.INVALID_REQUEST.because(name, "is there several times: give it one value");
            }
            if (values.length == 0 || values[0].isEmpty()) {
                throw RequestProblem.INVALID_REQUEST.because(name, "is empty: give it a value or leave it out");
            }
        });
        return true;
    }
}
