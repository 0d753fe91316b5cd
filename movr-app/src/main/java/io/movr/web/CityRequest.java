package io.movr.web;

/** A request whose body names the city that it is about. */
public interface CityRequest {

    String city();
}
