package io.movr.web;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/**
 * Accepts parameters of requests only as documented. Java takes the UUID 1-1-1-1-1 as well, and Spring the
 * numbers 0x10 and 010, the name of an enum's constant, and a space for no value of an enum.
 */
@ControllerAdvice
public class StrictParameters {

    static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");
    private static final Pattern INTEGER_TEXT = Pattern.compile("0|-?[1-9][0-9]*");

    @InitBinder
    void bind(WebDataBinder binder) {
        bind(binder, UUID.class, text -> UUID.fromString(matching(UUID_TEXT, text)));
        bind(binder, Integer.class, text -> Integer.valueOf(matching(INTEGER_TEXT, text)));
    }

    /**
     * Binds the values of a type by one converter only. Registering a converter is not sufficient: if it fails, Spring tries
     * others.
     *
     * @param read throws {@link IllegalArgumentException} if the text is no value of the type
     */
    public static <T> void bind(WebDataBinder binder, Class<T> type, Function<String, T> read) {
        binder.registerCustomEditor(type, new PropertyEditorSupport() {
            @Override
            public void setAsText(String text) {
                setValue(read.apply(text));
            }
        });
    }

    private static String matching(Pattern pattern, String text) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException("Not in the form " + pattern + ": " + text);
        }
        return text;
    }
}
