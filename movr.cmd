@echo off
rem Runs movr, building its jar first when that is missing. Unlike the shell launcher it does not
rem compare the jar's age with the sources': after changing them, delete movr-bench\target\movr.jar.
setlocal
set "ROOT=%~dp0"
if "%ROOT:~-1%"=="\" set "ROOT=%ROOT:~0,-1%"

if defined JAVA_HOME (
  set "JAVA=%JAVA_HOME%\bin\java.exe"
) else (
  set "JAVA=java.exe"
)
"%JAVA%" -version >nul 2>&1
if errorlevel 1 (
  echo movr: Java is missing: install Java 17 or newer, or correct JAVA_HOME 1>&2
  exit /b 1
)

set "JAR=%ROOT%\movr-bench\target\movr.jar"
set "LOG=%ROOT%\movr-bench\target\movr-build.log"
if exist "%JAR%" goto run

echo movr: building (once; a first build fetches libraries)... 1>&2
if not exist "%ROOT%\movr-bench\target" mkdir "%ROOT%\movr-bench\target"
pushd "%ROOT%"
call mvnw.cmd -B -Pjar-only -pl movr-bench -am package > "%LOG%" 2>&1
set "BUILT=%ERRORLEVEL%"
popd
if not "%BUILT%"=="0" (
  echo movr: the build failed; its output is in %LOG% 1>&2
  exit /b 1
)

:run
"%JAVA%" -XX:+UseSerialGC -Xmx512m "-Dmovr.root=%ROOT%" %MOVR_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
