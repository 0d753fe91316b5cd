package io.movr.compare;

/** The names of the facts in which results can differ. */
final class Setup {

    static final String JMH = "JMH";
    static final String JAVA = "JDK";
    static final String VIRTUAL_MACHINE = "virtual machine";
    static final String JVM_ARGUMENTS = "JVM arguments";
    static final String PROGRAM = "program";
    static final String THREADS = "threads";
    static final String FORKS = "forks";
    static final String WARM_UP = "warm-up";
    static final String MEASUREMENT = "measurement";

    private Setup() {}
}
