@echo off
rem Runs movr, building its jar and the load generator's first when one is missing. Unlike the shell
rem launcher it does not compare their age with the sources': after changing them, delete
rem movr-cli\target\movr.jar.
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

set "JAR=%ROOT%\movr-cli\target\movr.jar"
set "LOAD=%ROOT%\movr-load\target\movr-load.jar"
set "LOG=%ROOT%\movr-cli\target\movr-build.log"
if exist "%JAR%" if exist "%LOAD%" goto run
rem Help is shown by any jar that exists, and never builds one.
set "HELP="
if "%~1"=="help" set "HELP=1"
for %%A in ("%~1" "%~2" "%~3" "%~4") do (
  if "%%~A"=="--help" set "HELP=1"
  if "%%~A"=="-h" set "HELP=1"
)
if defined HELP (
  if exist "%JAR%" goto run
  echo movr: help is part of the program, which is not built yet: "movr --version" builds it once 1>&2
  exit /b 1
)

echo movr: building (once; a first build fetches libraries)... 1>&2
if not exist "%ROOT%\movr-cli\target" mkdir "%ROOT%\movr-cli\target"
pushd "%ROOT%"
call mvnw.cmd -B -Pjar-only -pl movr-cli,movr-load -am package > "%LOG%" 2>&1
set "BUILT=%ERRORLEVEL%"
popd
if not "%BUILT%"=="0" (
  echo movr: the build failed; its output is in %LOG% 1>&2
  exit /b 1
)

:run
"%JAVA%" -XX:+UseSerialGC -Xmx512m "-Dmovr.root=%ROOT%" "-Dmovr.load=%LOAD%" %MOVR_JAVA_OPTS% -jar "%JAR%" %*
exit /b %ERRORLEVEL%
