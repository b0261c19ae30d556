# cmake -DWEB=DIR -DNPM=npm -P npm_ci.cmake: installs the locked packages unless they are there already.
if(${WEB}/package-lock.json IS_NEWER_THAN ${WEB}/node_modules/.package-lock.json)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund WORKING_DIRECTORY ${WEB} COMMAND_ERROR_IS_FATAL ANY)
endif()
