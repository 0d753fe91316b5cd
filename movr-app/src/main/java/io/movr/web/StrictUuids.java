package io.movr.web;

import java.beans.PropertyEditorSupport;
import java.util.UUID;
import java.util.regex.Pattern;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.ControllerAdvice;
import org.springframework.web.bind.annotation.InitBinder;

/** Takes for the id of a row only what is written as one: Java itself takes 1-1-1-1-1 as well. */
@ControllerAdvice
class StrictUuids {

    private static final Pattern UUID_TEXT = Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

    @InitBinder
    void bind(WebDataBinder binder) {
        binder.registerCustomEditor(UUID.class, new PropertyEditorSupport() {
            @Override
            public void setAsText(String text) {
                if (!UUID_TEXT.matcher(text).matches()) {
                    throw new IllegalArgumentException("No UUID: " + text);
                }
                setValue(UUID.fromString(text));
            }
        });
    }
}
